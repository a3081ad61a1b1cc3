// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "switchback",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "switchback", targets: ["SwitchbackCommand"])
    ],
    dependencies: [
        // The phones of the sandbox and of the tests use this library. It is its own package, so that an app gets none
        // of the versions pinned below.
        .package(name: "switchback-client", path: "Clients/Swift"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-collections.git", exact: "1.6.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", exact: "1.7.3"),
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics.git", exact: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache.git", exact: "2.1.1"),
        .package(url: "https://github.com/groue/GRDB.swift.git", exact: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams.git", exact: "6.2.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", exact: "2.13.0"),
    ],
    targets: [
        // System libraries from Debian: module maps and inline wrappers, no C sources.
        .systemLibrary(name: "CBuild"),
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(name: "CMalloc"),
        .systemLibrary(name: "CSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])]),
        .systemLibrary(name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

        // Builds the files of Public into BuiltInFiles, those of Sandbox/Web into Sandbox, and the words of LoginAPI.
        .plugin(name: "EmbedFiles", capability: .buildTool()),

        // The modules, lowest first. Tests/ArchitectureTests/House.swift says which module may import which.
        .target(name: "Base", dependencies: ["CBuild", "CSSL"]),
        .target(name: "StrictJSON", dependencies: ["Base"]),
        .target(name: "Cryptography", dependencies: ["Base", "CSSL"]),
        .target(name: "JOSE", dependencies: ["Cryptography", "StrictJSON", "Base", "CSSL"]),
        .target(
            name: "Attestation", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base", "CSSL"]),
        .target(
            name: "Traces",
            dependencies: [
                "Base", .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .target(name: "Audit", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base"]),
        // It has an `open` for the whole process, which the linker shows to shared libraries.
        .target(
            name: "EventLoop", dependencies: ["CEpoll"],
            linkerSettings: [
                .unsafeFlags(["-Xlinker", "--export-dynamic-symbol=open"], .when(platforms: [.linux]))
            ]),
        .target(name: "HTTPWire", dependencies: ["Base"]),
        .target(
            name: "HTTPServer",
            dependencies: ["HTTPWire", "EventLoop", "Cryptography", "Base", "CEpoll", "CSSL", "CZlib"]),
        .target(
            name: "Outbound",
            dependencies: [
                "EventLoop", "Cryptography", "Base", "CCurl", "CSSL",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "OpenIDConnect", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base"]
        ),
        .target(
            name: "Brokers", dependencies: ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "CZlib"]),
        .target(
            name: "Logins",
            dependencies: [
                "Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Traces", "Base",
                .product(name: "DequeModule", package: "swift-collections"),
            ]),
        .target(
            name: "Sessions",
            dependencies: ["Attestation", "Logins", "JOSE", "Cryptography", "StrictJSON", "Base"]),
        .target(
            name: "KeyRing", dependencies: ["Logins", "KeyFiles", "JOSE", "Cryptography", "StrictJSON", "Base"]),
        .target(
            name: "Stores",
            dependencies: [
                "KeyRing", "Sessions", "Logins", "Base", "EventLoop", "CPQ",
                .product(name: "DequeModule", package: "swift-collections"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HeapModule", package: "swift-collections"),
            ]),
        .target(name: "Links", dependencies: ["OpenIDConnect", "StrictJSON"]),
        .target(
            name: "KeyFiles", dependencies: ["JOSE", "StrictJSON", "Base"]),
        .target(
            name: "BrokerTransport", dependencies: ["OpenIDConnect", "Outbound", "EventLoop", "Traces", "Base"]),
        .target(
            name: "ServerConfiguration",
            dependencies: [
                "KeyFiles", "KeyRing", "Links", "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Outbound",
                "HTTPServer", "HTTPWire", "Attestation", "JOSE", "Cryptography", "StrictJSON", "Base",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Yams", package: "Yams"),
            ]),
        .target(name: "BuiltInFiles", plugins: ["EmbedFiles"]),
        .target(
            name: "LoginAPI",
            dependencies: [
                "BuiltInFiles", "Links", "Sessions", "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire",
                "EventLoop",
                "Audit", "Attestation", "JOSE", "Cryptography", "StrictJSON", "Traces", "Base",
                .product(name: "Mustache", package: "swift-mustache"),
                .product(name: "Yams", package: "Yams"),
            ], exclude: ["Words"], plugins: ["EmbedFiles"]),
        .target(
            name: "Telemetry",
            dependencies: [
                "LoginAPI", "BrokerTransport", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Outbound",
                "HTTPServer", "HTTPWire", "EventLoop", "Traces", "Attestation", "StrictJSON", "Base",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]),
        .target(
            name: "Preflight",
            dependencies: [
                "ServerConfiguration", "LoginAPI", "BrokerTransport", "KeyFiles", "KeyRing", "Links", "Stores",
                "Brokers", "OpenIDConnect", "Outbound", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "StrictJSON",
                "Base",
            ]),
        .target(
            name: "Switchback",
            dependencies: [
                "Preflight", "Telemetry", "LoginAPI", "ServerConfiguration", "BrokerTransport", "KeyFiles", "KeyRing",
                "Links", "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Outbound", "HTTPServer",
                "HTTPWire",
                "EventLoop", "Audit", "JOSE", "Traces", "Base", "CMalloc",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]),
        // A wing of its own: Tests/ArchitectureTests/Wing.swift has its table.
        .target(
            name: "Sandbox",
            dependencies: [
                "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base", "CZlib",
                .product(name: "SwitchbackClient", package: "switchback-client"),
            ],
            path: "Sandbox", exclude: ["README.md", "Web"], plugins: ["EmbedFiles"]),
        .executableTarget(
            name: "SwitchbackCommand",
            dependencies: [
                "Switchback", "Sandbox", "Preflight", "Telemetry", "ServerConfiguration", "KeyFiles", "KeyRing",
                "Stores",
                "HTTPServer", "EventLoop", "Outbound", "Audit", "JOSE", "StrictJSON", "Base",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // Shared by tests: they use it to wait for events in other threads and processes.
        .target(
            name: "TestSupport", dependencies: ["CPQ", "CSSL"], path: "Tests/TestSupport"),
        // Shared by tests: a small valid configuration for tests to change.
        .target(
            name: "ConfigurationSamples",
            dependencies: [
                "ServerConfiguration", "KeyFiles", "Links", "JOSE", "TestSupport",
            ],
            path: "Tests/ConfigurationSamples"),
        // Shared by tests: the client's half of HTTPWire.
        .target(name: "ResponseParsing", dependencies: ["HTTPWire"], path: "Tests/ResponseParsing"),
        // Shared by tests and benchmarks: the key of a phone, with its DPoP proofs.
        .target(
            name: "PhoneKeys", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base"], path: "Tests/PhoneKeys"),
        // Shared by tests: phones that attest their keys, with certificates of their own.
        .target(
            name: "AttestedPhones",
            dependencies: ["Attestation", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL"],
            path: "Tests/AttestedPhones"),
        // Shared by tests: checks responses against Public/openapi.yaml.
        .target(
            name: "OpenAPIChecking",
            dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base", .product(name: "Yams", package: "Yams")],
            path: "Tests/OpenAPIChecking"),

        .testTarget(name: "ArchitectureTests"),
        .testTarget(name: "EventLoopTests", dependencies: ["EventLoop", "TestSupport"]),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "ResponseParsing", "Base", "TestSupport"]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: ["HTTPServer", "HTTPWire", "EventLoop", "Base", "CSSL", "CZlib", "TestSupport"]),
        .testTarget(
            name: "OutboundTests", dependencies: ["Outbound", "EventLoop", "Base", "TestSupport"]),
        .testTarget(
            name: "TracesTests",
            dependencies: [
                "Traces", "Base", "TestSupport", .product(name: "Tracing", package: "swift-distributed-tracing"),
            ]),
        .testTarget(
            name: "AuditTests", dependencies: ["Audit", "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport"]),
        .testTarget(name: "BaseTests", dependencies: ["Base", "TestSupport"]),
        .testTarget(name: "StrictJSONTests", dependencies: ["StrictJSON", "TestSupport"]),
        .testTarget(
            name: "CryptographyTests", dependencies: ["Cryptography", "Base", "TestSupport"]),
        .testTarget(
            name: "JOSETests", dependencies: ["JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport"]),
        .testTarget(
            name: "AttestationTests",
            dependencies: [
                "Attestation", "AttestedPhones", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL", "TestSupport",
            ],
            exclude: ["Vectors/README.md"]),
        .testTarget(
            name: "OpenIDConnectTests",
            dependencies: ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport"]),
        .testTarget(
            name: "BrokersTests",
            dependencies: ["Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base"]),
        .testTarget(
            name: "LoginsTests",
            dependencies: [
                "Logins", "Stores", "Brokers", "OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base",
                "TestSupport",
            ]),
        .testTarget(
            name: "SessionsTests",
            dependencies: [
                "Sessions", "Logins", "Attestation", "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport",
            ]),
        .testTarget(
            name: "StoresTests",
            dependencies: [
                "Stores", "KeyRing", "Sessions", "Logins", "JOSE", "Cryptography", "StrictJSON", "Base", "EventLoop",
                "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "SandboxTests",
            dependencies: [
                "Sandbox", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base",
            ]),
        // The client library's own tests. They are here too, so that one `swift test` runs everything.
        .testTarget(
            name: "SwitchbackClientTests",
            dependencies: [.product(name: "SwitchbackClient", package: "switchback-client")],
            path: "Clients/Swift/Tests/SwitchbackClientTests"),
        .testTarget(
            name: "SwitchbackUITests",
            dependencies: [
                .product(name: "SwitchbackClient", package: "switchback-client"),
                .product(name: "SwitchbackTesting", package: "switchback-client"),
                .product(name: "SwitchbackUI", package: "switchback-client"),
            ],
            path: "Clients/Swift/Tests/SwitchbackUITests"),
        .testTarget(
            name: "SwitchbackTestingTests",
            dependencies: [
                .product(name: "SwitchbackClient", package: "switchback-client"),
                .product(name: "SwitchbackTesting", package: "switchback-client"),
            ],
            path: "Clients/Swift/Tests/SwitchbackTestingTests"),
        .testTarget(name: "LinksTests", dependencies: ["Links", "StrictJSON"]),
        .testTarget(
            name: "KeyFilesTests", dependencies: ["KeyFiles", "JOSE", "StrictJSON", "Base"]),
        .testTarget(
            name: "KeyRingTests",
            dependencies: [
                "KeyRing", "Logins", "KeyFiles", "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport",
            ]),
        .testTarget(
            name: "ServerConfigurationTests",
            dependencies: [
                "ServerConfiguration", "ConfigurationSamples", "KeyFiles", "KeyRing", "Links", "Stores", "Sessions",
                "Logins", "Brokers", "Attestation", "AttestedPhones", "JOSE", "StrictJSON", "Base", "TestSupport",
            ]),
        .testTarget(
            name: "LoginAPITests",
            dependencies: [
                "LoginAPI", "BuiltInFiles", "ConfigurationSamples", "ServerConfiguration", "Stores", "Sessions",
                "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography",
                "StrictJSON", "Traces", "Base",
                "OpenAPIChecking", "PhoneKeys", "TestSupport",
                .product(name: "Mustache", package: "swift-mustache"),
            ]),
        .testTarget(
            name: "TelemetryTests",
            dependencies: [
                "Telemetry", "Logins", "OpenIDConnect", "Outbound", "HTTPServer", "HTTPWire", "EventLoop", "Traces",
                "StrictJSON", "Base", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Metrics", package: "swift-metrics"),
            ]),
        .testTarget(
            name: "PreflightTests",
            dependencies: [
                "Preflight", "ConfigurationSamples", "ServerConfiguration", "Links", "Stores", "Sessions", "Logins",
                "EventLoop", "StrictJSON", "Base", "TestSupport",
            ]),
        .testTarget(
            name: "SwitchbackTests",
            dependencies: [
                "Switchback", "Preflight", "Telemetry", "LoginAPI", "ServerConfiguration", "BrokerTransport", "Links",
                "ConfigurationSamples", "KeyFiles", "KeyRing", "Stores", "Sessions", "Logins", "Brokers",
                "OpenIDConnect", "Outbound", "HTTPServer", "HTTPWire", "JOSE", "StrictJSON", "EventLoop", "Base",
                "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        .testTarget(
            name: "SwitchbackCommandTests",
            dependencies: [
                "SwitchbackCommand", "Preflight", "ServerConfiguration", "Base", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),
        // The documentation beside the code that it tells of.
        .testTarget(
            name: "DocsTests",
            dependencies: [
                "SwitchbackCommand", "ConfigurationSamples", "ServerConfiguration", "Telemetry", "LoginAPI",
                "BrokerTransport", "Sessions", "Logins", "Brokers", "OpenIDConnect", "HTTPServer", "HTTPWire",
                "Attestation", "KeyFiles", "StrictJSON", "Base", "OpenAPIChecking", "TestSupport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),
        // Shared by the end-to-end tests: a running server with its providers, phones, browsers and proxies.
        .target(
            name: "EndToEndSupport",
            dependencies: [
                "SwitchbackCommand", "Switchback", "Telemetry", "ServerConfiguration", "KeyFiles", "Sandbox",
                "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "StrictJSON", "Base", "ConfigurationSamples",
                "OpenAPIChecking", "ResponseParsing", "TestSupport", .product(name: "Logging", package: "swift-log"),
                .product(name: "SwitchbackClient", package: "switchback-client"),
            ], path: "Tests/EndToEndSupport"),
        // The bytes of responses and rows, as they were recorded.
        .testTarget(
            name: "RecordingTests",
            dependencies: [
                "Switchback", "ServerConfiguration", "Telemetry", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL",
                "PhoneKeys", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ],
            exclude: ["Keys", "recording.txt"]),
        // Whole logins with one provider, whatever the provider or the phone does.
        .testTarget(
            name: "EndToEndLoginTests",
            dependencies: [
                "EndToEndSupport", "SwitchbackCommand", "Switchback", "Preflight", "Telemetry", "LoginAPI",
                "ServerConfiguration", "KeyFiles", "Sandbox", "OpenIDConnect", "HTTPServer", "HTTPWire", "EventLoop",
                "JOSE", "Cryptography", "StrictJSON", "Base", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // The brokers' systems, providers that others wrote, and the official conformance modules.
        .testTarget(
            name: "EndToEndBrokerTests",
            dependencies: [
                "EndToEndSupport", "SwitchbackCommand", "Switchback", "Preflight", "Telemetry", "ServerConfiguration",
                "KeyFiles", "Sandbox", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography", "StrictJSON",
                "Base", "TestSupport", .product(name: "Logging", package: "swift-log"),
                .product(name: "SwitchbackClient", package: "switchback-client"),
            ], exclude: ["Conformance/MODULES.md", "BrokerSystems/FEATURES.md"]),
        // Apps and their own APIs: the client library, sessions, the samples, and what a thief could use.
        .testTarget(
            name: "EndToEndClientTests",
            dependencies: [
                "EndToEndSupport", "SwitchbackCommand", "KeyFiles", "Sandbox", "Logins", "HTTPWire", "Attestation",
                "JOSE", "Cryptography", "StrictJSON", "Base", "AttestedPhones", "PhoneKeys", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "SwitchbackClient", package: "switchback-client"),
            ]),
        // What an operator does or meets: proxies, databases, reloads, stops, outages, and the long soaks.
        .testTarget(
            name: "EndToEndOperationTests",
            dependencies: [
                "EndToEndSupport", "Switchback", "Telemetry", "ServerConfiguration", "KeyFiles", "Sandbox", "Stores",
                "Sessions", "Logins", "Outbound", "HTTPServer", "HTTPWire", "EventLoop", "JOSE", "Cryptography",
                "StrictJSON", "Traces", "Base", "PhoneKeys", "TestSupport",
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // `make fuzz` runs these targets for minutes, and `swift test` replays their corpus: each parser with its
        // properties.
        .target(
            name: "FuzzTargets",
            dependencies: [
                "LoginAPI", "Sessions", "Logins", "Brokers", "OpenIDConnect", "Audit", "Attestation", "JOSE",
                "Cryptography", "StrictJSON", "Traces", "Base", "HTTPWire", "AttestedPhones",
            ],
            path: "Tests/Fuzzing/Targets"),
        .testTarget(name: "FuzzingTests", dependencies: ["FuzzTargets"]),

        // Benchmarks: `Benchmarks/run` and `Benchmarks/guard` run them.
        .target(
            name: "BenchmarkSupport", dependencies: ["JOSE", "CEpoll", "CSSL"], path: "Benchmarks/Support"),
        // A server in a process of its own, with the app and the provider of its logins.
        .target(
            name: "Served",
            dependencies: [
                "KeyFiles", "Sandbox", "HTTPServer", "Outbound", "EventLoop", "JOSE", "StrictJSON", "Base",
                "BenchmarkSupport",
                "TestSupport",
            ],
            path: "Benchmarks/Served"),
        .executableTarget(
            name: "JOSEBenchmark",
            dependencies: ["OpenIDConnect", "JOSE", "Cryptography", "StrictJSON", "Base", "CSSL", "BenchmarkSupport"],
            path: "Benchmarks/JOSE"),
        .executableTarget(
            name: "LoginBenchmark",
            dependencies: [
                "Served", "Base", "BenchmarkSupport", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Benchmarks/Logins"),
        .executableTarget(
            name: "SessionBenchmark",
            dependencies: [
                "Served", "Stores", "Sessions", "Logins", "EventLoop", "JOSE", "Cryptography", "StrictJSON", "Base",
                "PhoneKeys", "BenchmarkSupport", "TestSupport",
            ],
            path: "Benchmarks/Sessions"),
        .executableTarget(
            name: "PeerBenchmark",
            dependencies: [
                "Served", "Sandbox", "HTTPServer", "Outbound", "EventLoop", "JOSE", "Base", "BenchmarkSupport",
                "TestSupport",
            ],
            path: "Benchmarks/RelyingParties", exclude: ["authlib_flask.py", "requirements.txt"]),
        .executableTarget(
            name: "ServerBenchmark",
            dependencies: [
                "Switchback", "ServerConfiguration", "KeyFiles", "JOSE", "Cryptography", "StrictJSON", "Base", "CEpoll",
                "CSSL", "BenchmarkSupport", "TestSupport",
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks/Server"),
        .executableTarget(
            name: "GuardBenchmark",
            dependencies: [
                "LoginAPI", "Stores", "Sessions", "Logins", "Brokers", "OpenIDConnect", "JOSE", "Cryptography",
                "StrictJSON", "Base", "HTTPServer", "HTTPWire", "EventLoop", "PhoneKeys",
            ],
            path: "Benchmarks/Operations"),
    ],
    swiftLanguageModes: [.v6]
)

// Only `Tests/Fuzzing/run` can build it, because libFuzzer has the main function.
if Context.environment["SWITCHBACK_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: ["FuzzTargets"], path: "Tests/Fuzzing/Driver"))
}

// What `make test` builds and runs: the tests of what Switchback decides, and of the rules of this house. Without the
// variable, as in an editor, for `swift test` and for the rest of `make check`, the package has all tests (decision 40).
let firstTests: Set = [
    "ArchitectureTests", "AttestationTests", "AuditTests", "BaseTests", "BrokersTests", "CryptographyTests",
    "FuzzingTests", "HTTPWireTests", "JOSETests", "KeyFilesTests", "KeyRingTests", "LinksTests", "LoginsTests",
    "OpenIDConnectTests", "SessionsTests", "StrictJSONTests",
]
if Context.environment["SWITCHBACK_TESTS"] == "first" {
    package.targets.removeAll { $0.type == .test && !firstTests.contains($0.name) }
}

// A module is compiled by one compiler and not by one for each core, because many modules are compiled at the same time
// anyway, and each compiler loads all imports: that is a fifth of a whole build. The index has our own modules, and not
// those of the system. No setting depends on who builds, so that an editor, `make run` and `make test` use one build:
// the steps of `.ci/steps` look for warnings in what the compiler prints.
let settings: [SwiftSetting] = [
    .unsafeFlags(
        ["-driver-batch-count", "1", "-index-ignore-system-modules", "-index-ignore-clang-modules"],
        .when(configuration: .debug))
]
for target in package.targets {
    switch target.type {
    case .system, .plugin: continue
    // A module of the server has a page in its folder.
    case .regular where target.path == nil, .executable where target.path == nil: target.exclude += ["README.md"]
    default: break
    }
    target.swiftSettings = settings
}
