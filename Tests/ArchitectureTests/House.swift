/// The table of the modules of the server and of the apps: floor, imports and folders. Tests check the sources against
/// it, and draw the diagram in docs/explanation/architecture.md from it. What a module is for says its own page
/// (`ModulePage`).
enum House {
    /// The rules of modules and folders hold in the wing too.
    static let withWing = Self.modules + Wing.modules

    private static let platform: Set<String> = ["Darwin", "Dispatch", "Glibc", "Synchronization"]
    private static let foundation: Set<String> = ["Foundation", "FoundationEssentials"]

    /// Lowest first: a module imports only modules above its line.
    static let modules: [Module] = [
        Module(
            "Base", .base,
            foreign: Self.platform.union(["CBuild", "CSSL"])),
        Module(
            "StrictJSON", .base,
            imports: ["Base"]),
        Module(
            "Cryptography", .base,
            imports: ["Base"],
            foreign: Self.platform.union(["CSSL"])),
        Module(
            "JOSE", .base,
            imports: ["Base", "Cryptography", "StrictJSON"],
            foreign: ["CSSL", "Synchronization"],
            folders: [
                Module.Folder("Algorithms"),
                Module.Folder("OpenSSL", uses: ["Algorithms"]),
                Module.Folder("Keys", uses: ["Algorithms", "OpenSSL"]),
                Module.Folder("Signatures", uses: ["Algorithms", "Keys"]),
                Module.Folder("Encryption", uses: ["Algorithms", "Keys", "Signatures"]),
            ]),
        Module(
            "Attestation", .base,
            imports: ["Base", "Cryptography", "JOSE", "StrictJSON"],
            foreign: ["CSSL"],
            folders: [
                Module.Folder("Verdicts"),
                Module.Folder("CBOR"),
                Module.Folder("DER"),
                Module.Folder("Certificates", uses: ["Verdicts"]),
                Module.Folder("AppAttest", uses: ["CBOR", "Certificates", "DER", "Verdicts"]),
                Module.Folder("KeyAttestation", uses: ["Certificates", "DER", "Verdicts"]),
                Module.Folder("Policy", uses: ["AppAttest", "KeyAttestation", "Verdicts"]),
            ]),
        Module(
            "Traces", .base,
            imports: ["Base"],
            foreign: ["DequeModule", "Synchronization", "Tracing"],
            folders: [
                Module.Folder("Values"),
                Module.Folder("OTLP", uses: ["Values"]),
                Module.Folder("Spans", uses: ["OTLP", "Values"]),
                Module.Folder("Work", uses: ["Spans", "Values"]),
            ]),
        Module(
            "Audit", .base,
            imports: ["Base", "Cryptography", "JOSE", "StrictJSON"],
            foreign: Self.platform,
            folders: [
                Module.Folder("Records"),
                Module.Folder("Verification", uses: ["Records"]),
                Module.Folder("Writing", uses: ["Records", "Verification"]),
            ]),
        Module(
            "EventLoop", .transport,
            foreign: Self.platform.union(["CEpoll"])),
        Module(
            "HTTPWire", .transport,
            imports: ["Base"],
            folders: [
                Module.Folder("Fields"),
                Module.Folder("Text"),
                Module.Folder("Addresses", uses: ["Text"]),
                Module.Folder("FieldValues", uses: ["Text"]),
                Module.Folder("Messages", uses: ["Addresses", "FieldValues", "Fields"]),
                Module.Folder("Codec", uses: ["Fields", "Messages", "Text"]),
            ]),
        Module(
            "HTTPServer", .transport,
            imports: ["Base", "Cryptography", "EventLoop", "HTTPWire"],
            foreign: Self.platform.union(["CEpoll", "CSSL", "CZlib"]),
            folders: [
                Module.Folder("Limits"),
                Module.Folder("Responses", uses: ["Limits"]),
                Module.Folder("Sockets"),
                Module.Folder("TLS"),
                Module.Folder("Connections", uses: ["Limits", "Responses", "Sockets", "TLS"]),
                Module.Folder("Server", uses: ["Connections", "Limits", "Sockets", "TLS"]),
            ]),
        Module(
            "Outbound", .transport,
            imports: ["Base", "Cryptography", "EventLoop"],
            foreign: Self.platform.union(["CCurl", "CSSL", "DequeModule"])),
        Module(
            "OpenIDConnect", .domain,
            imports: ["Base", "Cryptography", "JOSE", "StrictJSON"],
            foreign: ["Synchronization"],
            folders: [
                Module.Folder("Values"),
                Module.Folder("Transport", uses: ["Values"]),
                Module.Folder("Metadata", uses: ["Transport", "Values"]),
                Module.Folder("Client", uses: ["Metadata", "Transport", "Values"]),
                Module.Folder("Directory", uses: ["Metadata", "Transport", "Values"]),
                Module.Folder("JWT", uses: ["Directory"]),
                Module.Folder(
                    "Authorization", uses: ["Client", "Directory", "JWT", "Metadata", "Transport", "Values"]),
                Module.Folder(
                    "Token",
                    uses: [
                        "Authorization", "Client", "Directory", "JWT", "Metadata", "Transport", "Values",
                    ]),
                Module.Folder("UserInfo", uses: ["Client", "Directory", "JWT", "Metadata", "Transport", "Values"]),
            ]),
        Module(
            "Links", .domain,
            imports: ["OpenIDConnect", "StrictJSON"]),
        Module(
            "KeyFiles", .domain,
            imports: ["Base", "JOSE", "StrictJSON"]),
        Module(
            "BrokerTransport", .domain,
            imports: ["Base", "EventLoop", "OpenIDConnect", "Outbound", "Traces"],
            foreign: ["Synchronization", "Tracing"]),
        Module(
            "Brokers", .domain,
            imports: ["Base", "Cryptography", "JOSE", "OpenIDConnect", "StrictJSON"],
            foreign: ["CZlib"],
            folders: [
                Module.Folder("Authorization"),
                Module.Folder("Identities", uses: ["Authorization"]),
                Module.Folder("Options"),
                Module.Folder("Providers", uses: ["Authorization", "Identities", "Options"]),
                Module.Folder("", uses: ["Authorization", "Identities", "Options", "Providers"]),
                Module.Folder("DigiD", uses: ["", "Authorization", "Identities", "Options", "Providers"]),
                Module.Folder("OpenID/Kinds", uses: ["", "Authorization", "Options", "Providers"]),
                Module.Folder("OpenID/Endpoints", uses: ["", "Authorization", "OpenID/Kinds"]),
                Module.Folder(
                    "OpenID/Kinds/*",
                    uses: ["", "Authorization", "OpenID/Endpoints", "OpenID/Kinds", "Options", "Providers"]),
                Module.Folder(
                    "OpenID",
                    uses: [
                        "", "Authorization", "Identities", "OpenID/Endpoints", "OpenID/Kinds", "OpenID/Kinds/*",
                        "Providers",
                    ]),
                Module.Folder("Kinds", uses: ["", "DigiD", "OpenID/Kinds", "OpenID/Kinds/*", "Options", "Providers"]),
            ]),
        Module(
            "Logins", .domain,
            imports: ["Base", "Brokers", "Cryptography", "JOSE", "OpenIDConnect", "StrictJSON", "Traces"],
            foreign: ["DequeModule", "Synchronization"],
            folders: [
                Module.Folder("Bytes"),
                Module.Folder("Values", uses: ["Bytes"]),
                Module.Folder("Keys", uses: ["Values"]),
                Module.Folder("Configuration", uses: ["Keys", "Values"]),
                Module.Folder("Store", uses: ["Values"]),
                Module.Folder("Tokens", uses: ["Keys", "Values"]),
                Module.Folder("Sealing", uses: ["Bytes", "Keys", "Store", "Tokens", "Values"]),
                Module.Folder("Waiting", uses: ["Store", "Values"]),
                Module.Folder(
                    "Repository", uses: ["Configuration", "Keys", "Sealing", "Store", "Tokens", "Values", "Waiting"]),
                Module.Folder(
                    "Steps",
                    uses: ["Configuration", "Keys", "Repository", "Sealing", "Store", "Tokens", "Values", "Waiting"]),
            ]),
        Module(
            "Sessions", .domain,
            imports: ["Attestation", "Base", "Cryptography", "JOSE", "Logins", "StrictJSON"],
            foreign: ["Synchronization"],
            folders: [
                Module.Folder("Values"),
                Module.Folder("Keys", uses: ["Values"]),
                Module.Folder("Configuration", uses: ["Keys", "Values"]),
                Module.Folder("Store", uses: ["Values"]),
                Module.Folder("DPoP", uses: ["Keys"]),
                Module.Folder("Session", uses: ["DPoP", "Values"]),
                Module.Folder("Sealing", uses: ["Keys", "Session", "Store", "Values"]),
                Module.Folder("AccessTokens", uses: ["Configuration", "Values"]),
                Module.Folder("Repository", uses: ["Configuration", "Keys", "Sealing", "Session", "Store", "Values"]),
                Module.Folder(
                    "Steps",
                    uses: ["AccessTokens", "Configuration", "DPoP", "Keys", "Repository", "Session", "Store", "Values"]),
            ]),
        Module(
            "KeyRing", .domain,
            imports: ["Base", "Cryptography", "JOSE", "KeyFiles", "Logins", "StrictJSON"],
            foreign: ["Synchronization"]),
        Module(
            "Stores", .domain,
            imports: ["Base", "EventLoop", "KeyRing", "Logins", "Sessions"],
            foreign: Self.platform.union(Self.foundation).union(["CPQ", "DequeModule", "GRDB", "HeapModule"]),
            folders: [
                Module.Folder("Health"),
                Module.Folder("Tombstones"),
                Module.Folder("Notes"),
                Module.Folder("Memory", uses: ["Health", "Notes", "Tombstones"]),
                Module.Folder("PostgreSQL/Connection", uses: ["Health"]),
                Module.Folder("PostgreSQL/Pool", uses: ["Health", "PostgreSQL/Connection"]),
                Module.Folder("PostgreSQL/Changes", uses: ["Health", "PostgreSQL/Connection", "PostgreSQL/Pool"]),
                Module.Folder("PostgreSQL/Schema", uses: ["Health", "PostgreSQL/Connection"]),
                Module.Folder(
                    "PostgreSQL",
                    uses: [
                        "Health", "PostgreSQL/Changes", "PostgreSQL/Connection", "PostgreSQL/Pool", "PostgreSQL/Schema",
                    ]),
                Module.Folder("SQLite", uses: ["Health", "Tombstones"]),
            ]),
        Module(
            "ServerConfiguration", .surfaces,
            imports: [
                "Attestation", "Base", "Brokers", "Cryptography", "HTTPServer", "HTTPWire", "JOSE", "KeyFiles",
                "KeyRing", "Links", "Logins", "OpenIDConnect", "Outbound", "Sessions", "Stores", "StrictJSON",
            ],
            foreign: Self.platform.union(["Logging", "Yams"]),
            folders: [
                Module.Folder("Files"),
                Module.Folder("Settings"),
                Module.Folder("Groups", uses: ["Settings"]),
                Module.Folder("Values", uses: ["Files", "Groups", "Settings"]),
                Module.Folder("Validation", uses: ["Files", "Groups", "Settings", "Values"]),
                Module.Folder("Table", uses: ["Groups", "Settings"]),
                Module.Folder("Reading", uses: ["Files", "Settings", "Table"]),
                Module.Folder("Loading", uses: ["Files", "Reading", "Settings", "Validation", "Values"]),
            ]),
        Module("BuiltInFiles", .surfaces),
        Module(
            "LoginAPI", .surfaces,
            imports: [
                "Attestation", "Audit", "Base", "Brokers", "BuiltInFiles", "Cryptography", "EventLoop", "HTTPServer",
                "HTTPWire", "JOSE", "Links", "Logins", "OpenIDConnect", "Sessions", "StrictJSON", "Traces",
            ],
            foreign: Self.platform.union(["Mustache", "Tracing", "Yams"]),
            folders: [
                Module.Folder("Routes"),
                Module.Folder("Problems", uses: ["Routes"]),
                Module.Folder("Limits", uses: ["Problems"]),
                Module.Folder("Pages", uses: ["Problems", "Routes"]),
                Module.Folder("Responding", uses: ["Limits", "Pages", "Problems", "Routes"]),
                Module.Folder("LongPolling", uses: ["Responding"]),
                Module.Folder("Requests", uses: ["Problems"]),
                Module.Folder(
                    "Responses", uses: ["Limits", "LongPolling", "Problems", "Requests", "Responding", "Routes"]),
                Module.Folder(
                    "Services",
                    uses: ["Limits", "LongPolling", "Pages", "Problems", "Requests", "Responding", "Responses"]),
                Module.Folder(
                    "Handlers",
                    uses: [
                        "Limits", "LongPolling", "Pages", "Problems", "Requests", "Responding", "Responses", "Routes",
                        "Services",
                    ]),
                Module.Folder(
                    "Sessions", uses: ["Limits", "Problems", "Requests", "Responding", "Routes", "Services"]),
                Module.Folder(
                    "",
                    uses: [
                        "Handlers", "Limits", "LongPolling", "Pages", "Problems", "Requests", "Responding", "Routes",
                        "Services", "Sessions",
                    ]),
            ]),
        Module(
            "Telemetry", .surfaces,
            imports: [
                "Attestation", "Base", "BrokerTransport", "Brokers", "EventLoop", "HTTPServer", "HTTPWire", "LoginAPI",
                "Logins", "OpenIDConnect", "Outbound", "Sessions", "StrictJSON", "Traces",
            ],
            foreign: Self.platform.union(["Logging", "Metrics", "Tracing"]),
            folders: [
                Module.Folder("Logging"),
                Module.Folder("Metrics"),
                Module.Folder("Tracing", uses: ["Logging", "Metrics"]),
                Module.Folder("Recorders", uses: ["Logging", "Metrics"]),
            ]),
        Module(
            "Preflight", .surfaces,
            imports: [
                "Base", "BrokerTransport", "Brokers", "EventLoop", "HTTPServer", "HTTPWire", "JOSE", "KeyFiles",
                "KeyRing", "Links", "LoginAPI", "OpenIDConnect", "Outbound", "ServerConfiguration", "Stores",
                "StrictJSON",
            ],
            foreign: Self.platform,
            folders: [
                Module.Folder("Registration"),
                Module.Folder("Online", uses: ["Registration"]),
                Module.Folder(""),
            ]),
        Module(
            "Switchback", .wiring,
            imports: [
                "Audit", "Base", "BrokerTransport", "Brokers", "EventLoop", "HTTPServer", "HTTPWire", "JOSE",
                "KeyFiles", "KeyRing",
                "Links", "LoginAPI", "Logins", "OpenIDConnect", "Outbound", "Preflight", "ServerConfiguration",
                "Sessions", "Stores", "Telemetry", "Traces",
            ],
            foreign: Self.platform.union(["CMalloc", "Logging", "ServiceLifecycle", "UnixSignals"]),
            folders: [
                Module.Folder("Parts"),
                Module.Folder("Process"),
                Module.Folder("", uses: ["Parts", "Process"]),
            ]),
        Module(
            "SwitchbackCommand", .commands,
            imports: [
                "Audit", "Base", "EventLoop", "HTTPServer", "JOSE", "KeyFiles", "KeyRing", "Outbound", "Preflight",
                "ServerConfiguration", "Stores", "StrictJSON", "Switchback", "Telemetry",
            ],
            // The sandbox is a wing of its own (`Wing`).
            foreign: Self.platform.union(Self.foundation).union(["ArgumentParser", "Sandbox"]),
            folders: [
                Module.Folder("Console"),
                Module.Folder("Init/Providers"),
                Module.Folder("Init", uses: ["Console", "Init/Providers"]),
                Module.Folder("Sandbox", uses: ["Console"]),
                Module.Folder("Demo", uses: ["Console", "Sandbox"]),
                Module.Folder("", uses: ["Console", "Demo", "Init", "Sandbox"]),
            ]),
        Module(
            "SwitchbackClient", .apps,
            foreign: ["CommonCrypto", "DeviceCheck", "Foundation", "Security"],
            folders: [
                Module.Folder("Values"),
                Module.Folder("Cryptography", uses: ["Values"]),
                Module.Folder("Keys", uses: ["Cryptography", "Values"]),
                Module.Folder("Store", uses: ["Cryptography", "Values"]),
                Module.Folder("Reducer", uses: ["Cryptography", "Keys", "Store", "Values"]),
                Module.Folder("Client", uses: ["Cryptography", "Keys", "Reducer", "Store", "Values"]),
            ]),
        Module(
            "SwitchbackUI", .apps,
            imports: ["SwitchbackClient"],
            foreign: ["AuthenticationServices", "Foundation", "SafariServices", "SwiftUI", "UIKit"],
            folders: [
                Module.Folder("Texts"),
                Module.Folder("Values", uses: ["Texts"]),
                Module.Folder("Decisions", uses: ["Texts", "Values"]),
                Module.Folder("Login", uses: ["Decisions", "Texts", "Values"]),
                Module.Folder("Apple", uses: ["Decisions", "Login", "Values"]),
            ]),
        Module(
            "SwitchbackTesting", .apps,
            imports: ["SwitchbackClient"],
            foreign: ["Foundation"]),
    ]
}
