// swift-tools-version:6.0
import PackageDescription

// Tools 6.0 are Xcode 16's. They cannot make warnings errors, so the package's own runs do:
// -Xswiftc -warnings-as-errors.
// The package has no dependencies and must get none: the app chooses its own.
let package = Package(
    name: "switchback-client",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "SwitchbackClient", targets: ["SwitchbackClient"]),
        .library(name: "SwitchbackUI", targets: ["SwitchbackUI"]),
    ],
    targets: [
        .target(name: "SwitchbackClient", exclude: ["README.md"]),
        .target(name: "SwitchbackUI", dependencies: ["SwitchbackClient"], exclude: ["README.md"]),
        .testTarget(name: "SwitchbackClientTests", dependencies: ["SwitchbackClient"]),
        .testTarget(name: "SwitchbackUITests", dependencies: ["SwitchbackUI"]),
    ],
    swiftLanguageModes: [.v6]
)
