// Never run: see README.md. `build` is what compiles this module.
plugins {
    id("com.android.library")
    kotlin("android")
}

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
    api(project(":switchback-core"))
    api("androidx.activity:activity:1.10.1")
    implementation("androidx.browser:browser:1.9.0")
    testImplementation("junit:junit:4.13.2")
}
