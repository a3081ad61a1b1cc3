// swift-tools-version:6.2
import PackageDescription

// Warnings are errors in CI (it sets CI=true) and stay warnings during development.
let settings: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let package = Package(
    name: "switchback",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "switchback", targets: ["SwitchbackCommand"])
    ],
    dependencies: [
        // The tests' phone uses this library. It is its own package, so that an app gets none of the versions pinned
        // below.
        .package(name: "switchback-client", path: "Clients/Swift"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", exact: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
    ],
    targets: [
        // System libraries from Debian: module maps and inline wrappers, no C sources.
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

        // Builds the files of Public into BuiltInFiles.
        .plugin(name: "EmbedFiles", capability: .buildTool()),

        // The modules, lowest first. Tests/ArchitectureTests/House.swift says which module may import which.
        .target(name: "Base", dependencies: ["CSSL"], swiftSettings: settings),
        .target(name: "StrictJSON", dependencies: ["Base"], swiftSettings: settings),
        .target(name: "Cryptography", dependencies: ["Base", "CSSL"], swiftSettings: settings),
        .target(name: "JOSE", dependencies: ["Cryptography", "StrictJSON", "Base", "CSSL"], swiftSettings: settings),
        .target(
            name: "Attestation", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base", "CSSL"],
            swiftSettings: settings),
        .target(name: "EventLoop", dependencies: ["CEpoll"], swiftSettings: settings),
        .target(name: "HTTPWire", dependencies: ["Base"], swiftSettings: settings),
        .target(
            name: "HTTPServer", dependencies: ["HTTPWire", "EventLoop", "CEpoll", "CSSL", "CZlib"],
            swiftSettings: settings),
        .target(name: "Outbound", dependencies: ["EventLoop", "Base", "CCurl", "CSSL"], swiftSettings: settings),
        .target(
            name: "OpenIDConnect", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base"], swiftSettings: settings
        ),
        .target(
            name: "Brokers", dependencies: ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "CZlib"],
            swiftSettings: settings),
        .target(
            name: "Logins", dependencies: ["Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base"],
            swiftSettings: settings),
        .target(
            name: "Sessions",
            dependencies: ["Attestation", "Logins", "JOSE", "Cryptography", "StrictJSON", "Base"],
            swiftSettings: settings),
        .target(
            name: "Stores",
            dependencies: [
                "Sessions", "Logins", "Base", "EventLoop", "CPQ",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .target(name: "Links", dependencies: ["OpenIDConnect", "StrictJSON"], swiftSettings: settings),
        .target(
            name: "KeyFiles", dependencies: ["JOSE", "StrictJSON", "Base"],
            swiftSettings: settings),
        .target(
            name: "BrokerTransport", dependencies: ["OpenIDConnect", "Outbound", "EventLoop"],
            swiftSettings: settings),
        .target(
            name: "ServerConfiguration",
            dependencies: [
                "KeyFiles", "Links", "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Outbound",
                "HTTPServer", "HTTPWire", "Attestation", "JOSE", "Cryptography", "StrictJSON", "Base",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .target(name: "BuiltInFiles", swiftSettings: settings, plugins: ["EmbedFiles"]),
        .target(
            name: "LoginAPI",
            dependencies: [
                "BuiltInFiles", "Links", "Sessions", "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire",
                "EventLoop",
                "Attestation", "JOSE", "Cryptography", "StrictJSON", "Base",
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "Yams", package: "Yams"),
            ],
            swiftSettings: settings),
        .target(
            name: "Telemetry",
            dependencies: [
                "LoginAPI", "BrokerTransport", "Sessions", "Logins", "Brokers", "OpenIDConnect", "HTTPServer",
                "HTTPWire", "EventLoop", "Attestation", "StrictJSON", "Base",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .target(
            name: "Preflight",
            dependencies: [
                "ServerConfiguration", "LoginAPI", "BrokerTransport", "KeyFiles", "Links", "Stores", "Brokers",
                "OpenIDConnect", "Outbound", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "StrictJSON", "Base",
            ],
            swiftSettings: settings),
        .target(
            name: "Switchback",
            dependencies: [
                "Preflight", "Telemetry", "LoginAPI", "ServerConfiguration", "BrokerTransport", "KeyFiles", "Links",
                "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire", "EventLoop",
                "JOSE", "Base", "CMalloc",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ],
            swiftSettings: settings),
        .target(
            name: "Sandbox",
            dependencies: [
                "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base", "CZlib",
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "SwitchbackCommand",
            dependencies: [
                "Switchback", "Sandbox", "Preflight", "Telemetry", "ServerConfiguration", "KeyFiles", "Stores",
                "HTTPServer", "EventLoop", "Outbound", "JOSE", "StrictJSON", "Base",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // Shared by tests: they use it to wait for events in other threads and processes.
        .target(
            name: "TestSupport", dependencies: ["CPQ", "CSSL"], path: "Tests/TestSupport", swiftSettings: settings),
        // Shared by tests: a small valid configuration for tests to change.
        .target(
            name: "ConfigurationSamples",
            dependencies: [
                "ServerConfiguration", "KeyFiles", "Links", "JOSE", "TestSupport",
            ],
            path: "Tests/ConfigurationSamples", swiftSettings: settings),
        // Shared by tests and benchmarks: the key of a phone, with its DPoP proofs.
        .target(
            name: "PhoneKeys", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base"], path: "Tests/PhoneKeys",
            swiftSettings: settings),
        // Shared by tests: phones that attest their keys, with certificates of their own.
        .target(
            name: "AttestedPhones",
            dependencies: ["Attestation", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL"],
            path: "Tests/AttestedPhones", swiftSettings: settings),
        // Shared by tests: checks responses against Public/openapi.yaml.
        .target(
            name: "OpenAPIChecking",
            dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base", .product(name: "Yams", package: "Yams")],
            path: "Tests/OpenAPIChecking", swiftSettings: settings),

        .testTarget(name: "ArchitectureTests", swiftSettings: settings),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "Base", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "HTTPWire", "EventLoop", "CSSL", "CZlib", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "OutboundTests", dependencies: ["Outbound", "EventLoop", "Base", "TestSupport"],
            swiftSettings: settings),
        .testTarget(name: "BaseTests", dependencies: ["Base", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography", "Base", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "JOSETests", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "AttestationTests",
            dependencies: [
                "Attestation", "AttestedPhones", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL", "TestSupport",
            ],
            exclude: ["Vectors/README.md"], swiftSettings: settings),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "BrokersTests",
            dependencies: ["Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base"],
            swiftSettings: settings),
        .testTarget(
            name: "LoginsTests",
            dependencies: [
                "Logins", "Stores", "Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base",
                "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SessionsTests",
            dependencies: [
                "Sessions", "Logins", "Attestation", "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StoresTests",
            dependencies: [
                "Stores", "Sessions", "Logins", "JOSE", "Cryptography", "StrictJSON", "Base", "EventLoop",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "Sandbox", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base",
            ],
            swiftSettings: settings),
        // The client library's own tests. They are here too, so that one `swift test` runs everything.
        .testTarget(
            name: "SwitchbackClientTests",
            dependencies: [.product(name: "SwitchbackClient", package: "switchback-client")],
            path: "Clients/Swift/Tests/SwitchbackClientTests", swiftSettings: settings),
        .testTarget(name: "LinksTests", dependencies: ["Links", "StrictJSON"], swiftSettings: settings),
        .testTarget(
            name: "KeyFilesTests", dependencies: ["KeyFiles", "JOSE", "StrictJSON", "Base"],
            swiftSettings: settings),
        .testTarget(
            name: "ServerConfigurationTests",
            dependencies: [
                "ServerConfiguration", "ConfigurationSamples", "KeyFiles", "Links", "Stores", "Sessions", "Logins",
                "Brokers", "Attestation", "AttestedPhones", "JOSE", "StrictJSON", "Base", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "LoginAPITests",
            dependencies: [
                "LoginAPI", "BuiltInFiles", "ConfigurationSamples", "ServerConfiguration", "Stores", "Sessions",
                "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography",
                "StrictJSON", "Base",
                "OpenAPIChecking", "PhoneKeys", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "Telemetry", "OpenIDConnect", "HTTPServer", "HTTPWire", "StrictJSON", "Base", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "PreflightTests",
            dependencies: [
                "Preflight", "ConfigurationSamples", "ServerConfiguration", "Links", "Stores", "Sessions", "Logins",
                "EventLoop", "StrictJSON", "Base", "TestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SwitchbackTests",
            dependencies: [
                "Switchback", "Preflight", "Telemetry", "LoginAPI", "ServerConfiguration", "BrokerTransport", "Links",
                "ConfigurationSamples", "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Outbound",
                "HTTPServer", "HTTPWire", "StrictJSON", "EventLoop", "Base", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SwitchbackCommandTests",
            dependencies: [
                "SwitchbackCommand", "Preflight", "ServerConfiguration", "Base", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),
        // The documentation beside the code that it tells of.
        .testTarget(
            name: "DocsTests",
            dependencies: [
                "SwitchbackCommand", "ConfigurationSamples", "ServerConfiguration", "Telemetry", "LoginAPI",
                "BrokerTransport", "Sessions", "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire",
                "Attestation", "StrictJSON", "Base", "OpenAPIChecking",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "SwitchbackCommand", "Switchback", "Preflight", "Telemetry", "LoginAPI", "ServerConfiguration",
                "KeyFiles",
                "Sandbox", "Stores", "Sessions", "Logins", "OpenIDConnect", "HTTPServer", "HTTPWire", "EventLoop",
                "JOSE", "Cryptography", "StrictJSON", "Base", "ConfigurationSamples",
                "Outbound", "Attestation", "AttestedPhones", "OpenAPIChecking", "PhoneKeys", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwitchbackClient", package: "switchback-client"),
                .product(name: "Yams", package: "Yams"),
            ],
            exclude: ["Conformance/MODULES.md", "BrokerSystems/FEATURES.md"], swiftSettings: settings),

        // `make fuzz` runs these targets for minutes, and `swift test` replays their corpus: each parser with its
        // properties.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "LoginAPI", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Attestation", "JOSE", "Cryptography",
                "StrictJSON", "Base", "HTTPWire", "AttestedPhones",
            ],
            path: "Tests/Fuzzing/Targets", swiftSettings: settings),
        .testTarget(name: "FuzzingTests", dependencies: ["FuzzTargets"], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// Only `Benchmarks/run` asks for these packages, so other builds do not wait for them.
if Context.environment["SWITCHBACK_BENCHMARKS"] != nil {
    package.targets += [
        .target(
            name: "Support", dependencies: ["JOSE", "CEpoll", "CSSL"], path: "Benchmarks/Support",
            swiftSettings: settings),
        // A server in a process of its own, with the app and the provider of its logins.
        .target(
            name: "Served",
            dependencies: [
                "KeyFiles", "Sandbox", "HTTPServer", "Outbound", "EventLoop", "JOSE", "StrictJSON", "Base", "Support",
                "TestSupport",
            ],
            path: "Benchmarks/Served", swiftSettings: settings),
        .executableTarget(
            name: "JOSEBenchmark",
            dependencies: ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL", "Support"],
            path: "Benchmarks/JOSE",
            swiftSettings: settings),
        .executableTarget(
            name: "LoginBenchmark",
            dependencies: [
                "Served", "Base", "Support", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks/Logins", swiftSettings: settings),
        .executableTarget(
            name: "SessionBenchmark",
            dependencies: [
                "Served", "Stores", "Sessions", "Logins", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base",
                "PhoneKeys", "Support", "TestSupport",
            ],
            path: "Benchmarks/Sessions", swiftSettings: settings),
        .executableTarget(
            name: "PeerBenchmark",
            dependencies: [
                "Served", "Sandbox", "HTTPServer", "Outbound", "EventLoop", "JOSE", "Base", "Support", "TestSupport",
            ],
            path: "Benchmarks/RelyingParties", exclude: ["authlib_flask.py", "requirements.txt"],
            swiftSettings: settings),
        .executableTarget(
            name: "ServerBenchmark",
            dependencies: [
                "Switchback", "ServerConfiguration", "KeyFiles", "JOSE", "Cryptography", "StrictJSON", "Base", "CEpoll",
                "CSSL", "Support", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks/Server", swiftSettings: settings),
        .executableTarget(
            name: "GuardBenchmark",
            dependencies: [
                "LoginAPI", "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "JOSE", "Cryptography",
                "StrictJSON", "Base", "HTTPServer", "HTTPWire", "EventLoop", "PhoneKeys",
            ],
            path: "Benchmarks/Operations", swiftSettings: settings),
    ]
}

// Only `Tests/Fuzzing/run` can build it, because libFuzzer has the main function.
if Context.environment["SWITCHBACK_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Driver", swiftSettings: settings))
}
