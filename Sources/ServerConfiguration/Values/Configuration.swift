import Base
import Brokers
import HTTPServer
import HTTPWire
import JOSE
import KeyFiles
import Logging
import Logins
import OpenIDConnect
import Sessions
import Stores

/// The checked configuration of the server. It never changes; a reload makes a new one.
package struct Configuration: Sendable {
    package enum Store: String, CaseIterable, Sendable {
        case sqlite, memory, postgresql
    }

    /// Scheme, host and port; every URL of ours begins with its `text`.
    package let publicURL: EndpointURL
    /// Where links that open an app lead, on a different host than the public URL.
    package let linkURL: EndpointURL?
    package let listen: ListenAddress
    package let operationsListen: ListenAddress
    /// Whether other processes share `listen`.
    package let reusesPort: Bool
    /// The TLS settings of `listen`; nil if it speaks plain HTTP to a proxy.
    package internal(set) var tls: TLS?
    /// The folder whose files replace those of the pages. Nil if all pages are the built-in ones.
    package let publicFolder: String?
    /// Of the pages.
    package let defaultLanguage: String
    /// Whether the pages are also offered in languages that need a permission.
    package let allowsDraftLanguages: Bool
    /// Where to report a security problem.
    package let securityContacts: [String]
    /// Set if there are contacts.
    package let securityContactsExpire: Timestamp?
    package let store: Store
    /// The file of the store `sqlite`.
    package let sqlitePath: String
    /// Where the database of the store `postgresql` is.
    package let postgresql: PostgresSettings?
    /// 32 bytes each. The first is active and encrypts; all of them decrypt.
    package let serverKeys: [Secret]
    /// They sign what we send to brokers.
    package let signingKeys: [SigningKey]
    /// They sign assertions; the first one is active. Without any there are no assertions.
    package let assertionKeys: [SigningKey]
    /// They sign access tokens; the first one is active.
    package let accessKeys: [SigningKey]
    /// 32 bytes each, for the rows of sessions. The first is active and encrypts; all of them decrypt.
    package let sessionKeys: [SessionKey]
    /// They decrypt what brokers encrypt for us.
    package let decryptionKeys: [DecryptionKeyFile]
    /// The decryption keys that are published for brokers.
    package let offeredDecryptionKeys: [DecryptionKeyFile]
    /// The phase of each key in each list, and when it changes.
    package let keySchedules: [KeyUse: KeySchedule]
    package let loginLifetime: Duration
    package let resultLifetime: Duration
    package let drainDelay: Duration
    /// How often we check the files of the configuration for changes; zero is never.
    package let reloadInterval: Duration
    package let poll: Poll
    package let sessions: Sessions
    package let attestation: Attestation
    package let limits: Limits
    package let proxy: Proxy
    package let log: Log
    /// Each in the order of the file.
    package let apps: [App]
    package let brokers: [Broker]
    package let providers: [Provider]
    /// By provider, if it has a policy of its own.
    package let releases: [String: ReleasePolicy]
    /// The most that a login of each provider may become.
    package let sessionLevels: [String: SessionLevel]
    /// The providers with a `session_permission`.
    package let sessionPermissions: Set<String>
    /// By provider: how long its sessions may be idle, if that is limited.
    package let sessionIdleLimits: [String: Duration]

    package struct Poll: Sendable {
        /// The longest long poll.
        package let wait: Duration
        /// The time between two polls that do not wait.
        package let interval: Duration
    }

    init(_ settings: EffectiveSettings, _ files: ReferencedFiles) throws(SettingScope.AbsentError) {
        let top = settings.top
        self.publicURL = try top.need("public_url", SettingScope.url)
        self.linkURL = top.url("link_url")
        self.listen = try top.need("listen", SettingScope.listen)
        self.operationsListen = try top.need("operations_listen", SettingScope.listen)
        self.reusesPort = top.boolean("reuse_port") ?? false
        self.tls = files.tls
        self.publicFolder = files.publicFolder
        self.defaultLanguage = try top.need("default_language", SettingScope.text)
        self.allowsDraftLanguages = top.boolean("allow_draft_languages") ?? false
        self.securityContacts = top.list("security_txt.contacts") ?? []
        self.securityContactsExpire = top.time("security_txt.expires")
        self.store = try top.need("store", SettingScope.choice)
        self.sqlitePath = try top.need("sqlite.path", SettingScope.text)
        self.postgresql = try PostgresSettings(top, files.access)
        self.serverKeys = files.serverKeys
        self.signingKeys = files.signingKeys
        self.assertionKeys = files.assertionKeys
        self.accessKeys = files.accessKeys
        self.sessionKeys = files.sessionKeys
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
        self.sessions = try Sessions(top)
        self.attestation = Attestation(files.attestation)
        self.limits = try Limits(top)
        self.proxy = try Proxy(top)
        self.log = try Log(top)
        self.apps = try settings.scopes("apps").map { scope throws(SettingScope.AbsentError) in try App(scope, files) }
        self.brokers = try settings.scopes("brokers").map { scope throws(SettingScope.AbsentError) in
            try Broker(scope, files)
        }
        let digid = Set(self.brokers.filter { $0.kind == .digid }.map(\.id))
        self.providers = try settings.scopes("providers").map { scope throws(SettingScope.AbsentError) in
            var provider = try Provider(scope, settings, personKey: files.personKey)
            // DigiD has only one flow, and it is not configurable.
            if digid.contains(provider.brokerID) { provider.flow = .artifact }
            return provider
        }
        self.releases = Dictionary(
            uniqueKeysWithValues: settings.scopes("providers").compactMap { scope in
                scope.release("release").map { (scope.name, $0) }
            })
        self.sessionLevels = Dictionary(
            uniqueKeysWithValues: settings.scopes("providers").compactMap { scope in
                scope.session.map { (scope.name, $0) }
            })
        let providers = settings.scopes("providers")
        self.sessionPermissions = Set(providers.filter(\.hasSessionPermission).map(\.name))
        self.sessionIdleLimits = Dictionary(
            uniqueKeysWithValues: providers.compactMap { scope in
                scope.sessionIdleLimit.map { (scope.name, .seconds($0)) }
            })
    }

    /// The keys that verify assertions, for the APIs of apps. None of them signs what we send to brokers, so nothing of
    /// that can pass as an assertion.
    package var assertionKeySet: JWKSet { JWKSet(self.assertionKeys.map(\.jwk)) }

    /// Our keys as a client of brokers. They verify client assertions and request objects, and brokers encrypt tokens
    /// to them.
    package var clientKeySet: JWKSet { JWKSet(self.signingKeys.map(\.jwk) + self.offeredDecryptionKeys.map(\.jwk)) }

    /// When the next key becomes active. Then the configuration is read again.
    package var nextKeyChange: Timestamp? { self.keySchedules.values.compactMap(\.nextChange).min() }

    /// Throws if a server that runs with `former` would lose keys that it still needs.
    package func checkKeys(after former: Configuration) throws(OperatorError) {
        let problems = KeyUse.allCases.flatMap { use in
            guard
                let (schedule, former) = self.keySchedules[use].flatMap({ new in
                    former.keySchedules[use].map { (new, $0) }
                })
            else { return [String]() }
            return schedule.problems(after: former).map { "\(use.setting): \($0)" }
        }
        guard problems.isEmpty else { throw OperatorError(problems.joined(separator: "; ")) }
    }
}

/// Which proxies may name a client's address, and how.
extension Configuration {
    package struct Proxy: Sendable {
        package enum Header: String, CaseIterable, Sendable {
            case none
            case xForwardedFor = "x-forwarded-for"
            /// RFC 7239.
            case forwarded
            /// HAProxy's PROXY protocol, which is sent before the requests and not in them.
            case proxy
        }

        package let header: Header
        package let trusted: [TrustedPeer]

        /// The peers that begin each connection with a PROXY header; nil if none do.
        package var speakers: [TrustedPeer]? { self.header == .proxy ? self.trusted : nil }

        /// Whether we know the clients behind a Unix socket, where the peer has no address.
        package var namesClientsOfUnixSockets: Bool { self.header != .none && self.trusted.contains(.unix) }

        init(_ top: SettingScope) throws(SettingScope.AbsentError) {
            self.header = try top.need("proxy.header", SettingScope.choice)
            self.trusted = try top.need("proxy.trusted", SettingScope.list).compactMap { TrustedPeer($0) }
        }
    }
}

/// What is logged, and in which format.
extension Configuration {
    package struct Log: Sendable {
        package enum Format: String, CaseIterable, Sendable {
            /// Text on a terminal, otherwise JSON.
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
