import Base
import Brokers
import HTTPWire
import JOSE
import KeyFiles
import Logins
import Sessions
import Stores

/// The checked configuration of the server. It never changes; a reload makes a new one.
///
/// The settings of the server itself are read by their declarations in `ServerSettings`: `configuration.publicURL`.
@dynamicMemberLookup
package struct Configuration: Sendable {
    package typealias Store = ServerSettings.Store

    private let server: SettingValues<ServerSettings>
    /// The TLS settings of `listen`; nil if it speaks plain HTTP to a proxy.
    package internal(set) var tls: TLS?
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
    /// They sign the audit; the first one is active.
    package let auditKeys: [SigningKey]
    /// 32 bytes each, for the rows of sessions. The first is active and encrypts; all of them decrypt.
    package let sessionKeys: [SessionKey]
    /// They decrypt what brokers encrypt for us.
    package let decryptionKeys: [DecryptionKeyFile]
    /// The decryption keys that are published for brokers.
    package let offeredDecryptionKeys: [DecryptionKeyFile]
    /// The phase of each key in each list, and when it changes.
    package let keySchedules: [KeyUse: KeySchedule]
    package let sessions: SettingValues<SessionSettings>
    package let attestation: Attestation
    package let limits: SettingValues<LimitSettings>
    /// Each in the order of the file.
    package let apps: [App]
    package internal(set) var brokers: [Broker]
    package let providers: [Provider]
    /// By provider, if it has a policy of its own.
    package let releases: [String: ReleasePolicy]
    /// The most that a login of each provider may become.
    package let sessionLevels: [String: SessionLevel]
    /// The providers with a `session_permission`.
    package let sessionPermissions: Set<String>
    /// By provider: how long its sessions may be idle, if that is limited.
    package let sessionIdleLimits: [String: Duration]

    init(_ settings: EffectiveSettings, _ files: ReferencedFiles) {
        self.server = SettingValues(settings)
        self.digest = settings.digest
        self.tls = files.tls
        self.postgresql = PostgresSettings(settings, files.access)
        self.serverKeys = files.serverKeys
        self.signingKeys = files.signingKeys
        self.assertionKeys = files.assertionKeys
        self.accessKeys = files.accessKeys
        self.auditKeys = files.auditKeys
        self.sessionKeys = files.sessionKeys
        self.decryptionKeys = files.decryptionKeys
        self.offeredDecryptionKeys = files.offeredDecryptionKeys
        self.keySchedules = files.schedules
        self.sessions = SettingValues(settings)
        self.attestation = Attestation(files.attestation)
        self.limits = SettingValues(settings)
        self.apps = settings.scopes("apps").map { App($0, files) }
        self.brokers = settings.scopes("brokers").map { Broker($0, files) }
        let providers = settings.scopes("providers")
        self.providers = providers.map { Provider($0, settings, personKey: files.personKey) }
        let values = Dictionary(
            uniqueKeysWithValues: providers.map { ($0.name, $0.values(CommonProviderSettings.self)) })
        self.releases = values.compactMapValues(\.release)
        self.sessionLevels = values.mapValues(\.session)
        self.sessionPermissions = Set(providers.filter(\.hasSessionPermission).map(\.name))
        self.sessionIdleLimits = Dictionary(
            uniqueKeysWithValues: providers.compactMap { scope in
                scope.sessionIdleLimit.map { (scope.name, .seconds($0)) }
            })
    }

    package subscript<Value>(dynamicMember declaration: KeyPath<ServerSettings, Setting<Value>>) -> Value {
        self.server[dynamicMember: declaration]
    }

    package subscript<Group: SettingGroup>(dynamicMember group: KeyPath<ServerSettings, Group>) -> SettingValues<Group>
    {
        self.server[dynamicMember: group]
    }

    /// The SHA-256 of what `switchback config` prints, in hexadecimal. No secret is in that text.
    package let digest: String

    /// Where to report a security problem.
    package var securityContacts: [String] { self.server.namedContacts ?? [] }

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

extension SettingValues<ProxySettings> {
    /// The peers that begin each connection with a PROXY header; nil if none do.
    package var speakers: [TrustedPeer]? { self.header == .proxy ? self.trusted : nil }

    /// Whether we know the clients behind a Unix socket, where the peer has no address.
    package var namesClientsOfUnixSockets: Bool { self.header != .none && self.trusted.contains(.unix) }
}
