/// What the server is told before it starts: read once, checked as a whole, never changed.
import Base
import Brokers
import HTTPServer
import JOSE
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

    init(_ settings: EffectiveSettings, _ files: NamedFiles) throws(SettingScope.Absent) {
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
        self.apps = try settings.scopes("apps").map { scope throws(SettingScope.Absent) in try App(scope, files) }
        self.brokers = try settings.scopes("brokers").map { scope throws(SettingScope.Absent) in
            try Broker(scope, files)
        }
        let digid = Set(self.brokers.filter { $0.kind == .digid }.map(\.id))
        self.providers = try settings.scopes("providers").map { scope throws(SettingScope.Absent) in
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

    /// What is registered at a broker, byte for byte.
    package func redirectURI(of broker: Broker) -> String {
        // A checked configuration has a link URL or a scheme where a broker redirects to the app.
        let path = "/callback/\(broker.id)"
        switch broker.callback {
        case .backend: return self.publicURL.text + path
        case .app: return (self.linkURL ?? self.publicURL).text + path
        case .scheme: return (self.apps.first?.returnScheme.map { "\($0):" } ?? self.publicURL.text) + path
        }
    }

    /// What verifies assertions, for the APIs of apps. No key that a broker knows is among them, so nothing that a broker is
    /// sent can pass for an assertion.
    package var assertionKeySet: JWKSet { JWKSet(self.assertionKeys.map(\.jwk)) }

    /// Our keys as a client of brokers: what verifies client assertions and request objects, and what tokens are encrypted to.
    package var clientKeySet: JWKSet { JWKSet(self.signingKeys.map(\.jwk) + self.offeredDecryptionKeys.map(\.jwk)) }

    /// When another key becomes active: the configuration is then read again.
    package var nextKeyChange: Timestamp? { self.keySchedules.values.compactMap(\.nextChange).min() }

    /// Throws what a server that runs with `former` would lose with this.
    func checkKeys(after former: Configuration) throws(KeyLoss) {
        let problems = KeyUse.allCases.flatMap { use in
            guard
                let (schedule, former) = self.keySchedules[use].flatMap({ new in
                    former.keySchedules[use].map { (new, $0) }
                })
            else { return [String]() }
            return schedule.problems(after: former).map { "\(use.setting): \($0)" }
        }
        guard problems.isEmpty else { throw KeyLoss(description: problems.joined(separator: "; ")) }
    }

    /// The `jwks_uri` that is registered at brokers (OpenID Connect Dynamic Client Registration 1.0, 2).
    package var clientKeySetURI: String { self.publicURL.text + Route.clientKeys.path }

    /// Where the APIs of apps find the keys of assertions.
    package var assertionKeySetURI: String { self.publicURL.text + Route.keys.path }
}
