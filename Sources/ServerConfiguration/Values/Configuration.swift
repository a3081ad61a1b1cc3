/// What the server is told before it starts: read once, checked as a whole, never changed.
import Base
import Brokers
import HTTPServer
import HTTPWire
import JOSE
import KeyFiles
import Logging
import Logins
import OpenIDConnect
import Stores

package struct Configuration: Sendable {
    package enum Store: String, CaseIterable, Sendable {
        case sqlite, memory, postgresql
    }

    /// Scheme, host and port; every URL of ours begins with its `text`.
    package let publicURL: EndpointURL
    /// Where links that open an app lead; another host than the public URL's.
    package let linkURL: EndpointURL?
    package let listen: Listen
    package let operationsListen: Listen
    /// Other processes have the same `listen`.
    package let reusesPort: Bool
    /// What `listen` speaks TLS with; nil where it speaks plain HTTP, to a proxy.
    package let tls: TLS?
    /// The folder with the pages and `openapi.yaml`.
    package let publicFolder: String
    package let store: Store
    /// The file of the store `sqlite`.
    package let sqlitePath: String
    /// Where the database of the store `postgresql` is.
    package let postgresql: PostgresSettings?
    /// 32 bytes each; the first is active and seals, all open.
    package let serverKeys: [Secret]
    /// For what brokers are sent.
    package let signingKeys: [SigningKey]
    /// For what apps are given; the first signs. Empty: there are no assertions.
    package let assertionKeys: [SigningKey]
    /// For what brokers encrypt; every one opens.
    package let decryptionKeys: [DecryptionKeyFile]
    /// Those of them that are published for brokers to encrypt to.
    package let offeredDecryptionKeys: [DecryptionKeyFile]
    /// Which key of each list does what, and when that changes.
    package let keySchedules: [KeyUse: KeySchedule]
    package let loginLifetime: Duration
    package let resultLifetime: Duration
    package let drainDelay: Duration
    /// How often the files of the configuration are looked at; zero for never.
    package let reloadInterval: Duration
    package let poll: Poll
    package let limits: Limits
    package let proxy: Proxy
    package let log: Log
    /// Each in the order of the file.
    package let apps: [App]
    package let brokers: [Broker]
    package let providers: [Provider]
    /// By provider, where its rule is another than the apps'.
    package let releases: [String: Release]

    package struct Poll: Sendable {
        /// A poll is held so long at most.
        package let wait: Duration
        /// Between two polls that do not wait.
        package let interval: Duration
    }

    init(_ settings: EffectiveSettings, _ files: NamedFiles) throws(SettingScope.AbsentError) {
        let top = settings.top
        self.publicURL = try top.need("public_url", SettingScope.url)
        self.linkURL = top.url("link_url")
        self.listen = try top.need("listen", SettingScope.listen)
        self.operationsListen = try top.need("operations_listen", SettingScope.listen)
        self.reusesPort = top.boolean("reuse_port") ?? false
        self.tls = files.tls
        self.publicFolder = files.publicFolder
        self.store = try top.need("store", SettingScope.choice)
        self.sqlitePath = try top.need("sqlite.path", SettingScope.text)
        self.postgresql = try PostgresSettings(top, files.access)
        self.serverKeys = files.serverKeys
        self.signingKeys = files.signingKeys
        self.assertionKeys = files.assertionKeys
        self.decryptionKeys = files.decryptionKeys
        self.offeredDecryptionKeys = files.offeredDecryptionKeys
        self.keySchedules = files.schedules
        self.loginLifetime = try top.need("login_lifetime", SettingScope.seconds)
        self.resultLifetime = try top.need("result_ttl", SettingScope.seconds)
        self.drainDelay = try top.need("drain_delay", SettingScope.seconds)
        self.reloadInterval = try top.need("reload_interval", SettingScope.seconds)
        self.poll = Poll(
            wait: try top.need("poll.wait", SettingScope.seconds),
            interval: try top.need("poll.interval", SettingScope.seconds))
        self.limits = try Limits(top)
        self.proxy = try Proxy(top)
        self.log = try Log(top)
        self.apps = try settings.scopes("apps").map { scope throws(SettingScope.AbsentError) in try App(scope, files) }
        self.brokers = try settings.scopes("brokers").map { scope throws(SettingScope.AbsentError) in
            try Broker(scope, files)
        }
        let digid = Set(self.brokers.filter { $0.kind == .digid }.map(\.id))
        self.providers = try settings.scopes("providers").map { scope throws(SettingScope.AbsentError) in
            var provider = try Provider(scope)
            // DigiD has one way, and nobody chooses it.
            if digid.contains(provider.brokerID) { provider.flow = .artifact }
            return provider
        }
        self.releases = Dictionary(
            uniqueKeysWithValues: settings.scopes("providers").compactMap { scope in
                scope.release("release").map { (scope.name, $0) }
            })
    }

    /// What verifies assertions, for the APIs of apps. No key that a broker knows is among them, so nothing that a broker is
    /// sent can pass for an assertion.
    package var assertionKeySet: JWKSet { JWKSet(self.assertionKeys.map(\.jwk)) }

    /// Our keys as a client of brokers: what verifies client assertions and request objects, and what tokens are encrypted to.
    package var clientKeySet: JWKSet { JWKSet(self.signingKeys.map(\.jwk) + self.offeredDecryptionKeys.map(\.jwk)) }

    /// When another key becomes active: the configuration is then read again.
    package var nextKeyChange: Timestamp? { self.keySchedules.values.compactMap(\.nextChange).min() }

    /// Throws what a server that runs with `former` would lose with this.
    package func checkKeys(after former: Configuration) throws(KeyLossError) {
        let problems = KeyUse.allCases.flatMap { use in
            guard
                let (schedule, former) = self.keySchedules[use].flatMap({ new in
                    former.keySchedules[use].map { (new, $0) }
                })
            else { return [String]() }
            return schedule.problems(after: former).map { "\(use.setting): \($0)" }
        }
        guard problems.isEmpty else { throw KeyLossError(description: problems.joined(separator: "; ")) }
    }
}

/// Whose word is taken for a client's address.
extension Configuration {
    package struct Proxy: Sendable {
        package enum Header: String, CaseIterable, Sendable {
            case none
            case xForwardedFor = "x-forwarded-for"
            /// RFC 7239.
            case forwarded
            /// HAProxy's PROXY protocol: before the requests, not in them.
            case proxy
        }

        package let header: Header
        package let trusted: [TrustedPeer]

        /// Who begins each connection with a PROXY header; nil when nobody does.
        package var speakers: [TrustedPeer]? { self.header == .proxy ? self.trusted : nil }

        /// Whether clients are known that come by a Unix socket, where the peer has no address.
        package var namesClientsOfUnixSockets: Bool { self.header != .none && self.trusted.contains(.unix) }

        init(_ top: SettingScope) throws(SettingScope.AbsentError) {
            self.header = try top.need("proxy.header", SettingScope.choice)
            self.trusted = try top.need("proxy.trusted", SettingScope.list).compactMap { TrustedPeer($0) }
        }
    }
}

/// What is logged, and in which shape.
extension Configuration {
    package struct Log: Sendable {
        package enum Format: String, CaseIterable, Sendable {
            /// Text on a terminal, JSON else.
            case auto
            case text
            case json
        }

        static let levels = Logger.Level.allCases.map(\.rawValue)

        package let level: Logger.Level
        package let format: Format

        init(_ top: SettingScope) throws(SettingScope.AbsentError) {
            self.level = try top.need("log.level", SettingScope.choice)
            self.format = try top.need("log.format", SettingScope.choice)
        }
    }
}
