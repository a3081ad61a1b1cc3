// Never run: there is no Gradle where these libraries are built (README.md). An app includes the folder with
// `includeBuild("…/Clients/Kotlin")`, and depends on `dev.switchback:switchback-android` or `switchback-compose`, or for a
// program without Android on `switchback-core`.
pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
    }
}

rootProject.name = "switchback"

// A project has the name of its artifact, so that Gradle takes it in place of one.
for (module in listOf("core", "android", "compose")) {
    include("switchback-$module")
    project(":switchback-$module").projectDir = file(module)
}
