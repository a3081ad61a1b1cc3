// swift-tools-version:6.0
import PackageDescription

// Apple wants a privacy manifest with the code. Elsewhere a resource would only make a bundle that nobody reads.
let manifest = "PrivacyInfo.xcprivacy"
#if os(macOS)
let (resources, exclude): ([Resource], [String]) = ([.copy(manifest)], ["README.md"])
#else
let (resources, exclude): ([Resource], [String]) = ([], ["README.md", manifest])
#endif

// Tools 6.0 are Xcode 16's. They cannot make warnings errors, so the package's own runs do:
// -Xswiftc -warnings-as-errors.
// The package has no dependencies and must get none: the app chooses its own.
let package = Package(
    name: "switchback-client",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [
        .library(name: "SwitchbackClient", targets: ["SwitchbackClient"]),
        .library(name: "SwitchbackUI", targets: ["SwitchbackUI"]),
        // For an app's own tests.
        .library(name: "SwitchbackTesting", targets: ["SwitchbackTesting"]),
    ],
    targets: [
        .target(name: "SwitchbackClient", exclude: exclude, resources: resources),
        .target(name: "SwitchbackUI", dependencies: ["SwitchbackClient"], exclude: exclude, resources: resources),
        .target(name: "SwitchbackTesting", dependencies: ["SwitchbackClient"], exclude: ["README.md"]),
        .testTarget(name: "SwitchbackClientTests", dependencies: ["SwitchbackClient"]),
        .testTarget(name: "SwitchbackUITests", dependencies: ["SwitchbackTesting", "SwitchbackUI"]),
        .testTarget(name: "SwitchbackTestingTests", dependencies: ["SwitchbackTesting"]),
    ],
    swiftLanguageModes: [.v6]
)
