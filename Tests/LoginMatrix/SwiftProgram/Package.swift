// swift-tools-version:6.0
import PackageDescription

// SwiftPM calls a package by its folder, and the library's is called Swift.
let package = Package(
    name: "login-matrix",
    platforms: [.macOS(.v12)],
    dependencies: [.package(name: "switchback-client", path: "../../../Clients/Swift")],
    targets: [
        .executableTarget(
            name: "Program", dependencies: [.product(name: "SwitchbackClient", package: "switchback-client")])
    ],
    swiftLanguageModes: [.v6]
)
