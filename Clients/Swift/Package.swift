// swift-tools-version:6.2
import PackageDescription

// Warnings are errors in CI, as in the server's package.
let settings: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

// The package has no dependencies and must get none: the app chooses its own.
let package = Package(
    name: "switchback-client",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "SwitchbackClient", targets: ["SwitchbackClient"])],
    targets: [
        .target(name: "SwitchbackClient", exclude: ["README.md"], swiftSettings: settings),
        .testTarget(name: "SwitchbackClientTests", dependencies: ["SwitchbackClient"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
