// Never run: there is no Gradle where this library is built (README.md). An app includes the folder with
// `includeBuild("…/Clients/Kotlin")`, and depends on `dev.switchback:switchback-core`.
rootProject.name = "switchback"

dependencyResolutionManagement {
    repositories {
        mavenCentral()
    }
}

include("core")
project(":core").name = "switchback-core"
