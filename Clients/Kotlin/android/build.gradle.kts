// Never run: `build` is what compiles the library here.
plugins {
    id("com.android.library") version "8.10.1"
    id("org.jetbrains.kotlin.android") version "2.1.21"
}

group = "dev.switchback"

android {
    namespace = "dev.switchback.android"
    compileSdk = 36
    defaultConfig {
        minSdk = 26
        consumerProguardFiles("consumer-rules.pro")
    }
    compileOptions {
        sourceCompatibility = JavaVersion.VERSION_11
        targetCompatibility = JavaVersion.VERSION_11
    }
}

kotlin {
    explicitApi()
    compilerOptions.jvmTarget.set(org.jetbrains.kotlin.gradle.dsl.JvmTarget.JVM_11)
}

dependencies {
    api(project(":core"))
    api("androidx.activity:activity:1.10.1")
    implementation("androidx.browser:browser:1.9.0")
    testImplementation("junit:junit:4.13.2")
}
