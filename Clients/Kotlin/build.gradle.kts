// Never run: see README.md. The plugins are named once, so that all modules have the same ones.
plugins {
    id("com.android.library") version "8.10.1" apply false
    kotlin("android") version "2.1.21" apply false
    kotlin("jvm") version "2.1.21" apply false
    kotlin("plugin.compose") version "2.1.21" apply false
}

allprojects {
    group = "dev.switchback"
    version = "0.1.0"
    // `build` is a program in these folders, so Gradle writes elsewhere.
    layout.buildDirectory.set(rootDir.resolve("../../.build/gradle/$name"))
}
