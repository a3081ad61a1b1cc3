/// The purpose of a list of keys, and how long each step of a rotation must last.
package enum KeyUse: String, CaseIterable, Sendable {
    case server, signing, assertion, decryption, access, session, audit

    /// The setting that lists the keys.
    package var setting: String { self == .server ? "server_keys" : "keys.\(self.rawValue)" }

    /// The kind of the keys that are 32 random bytes; nil for the others, which are key pairs.
    package var secretKind: KeyGenerator.Kind? {
        switch self {
        case .server: .server
        case .session: .session
        case .signing, .assertion, .decryption, .access, .audit: nil
        }
    }

    /// The least time between making a key and using it. In that time every server must learn it, and brokers and the
    /// APIs of apps cache key sets for a day.
    package static let publication = Duration.seconds(24 * 3600)

    /// Returns how long a key is needed after another has taken over.
    package func retention(loginLifetime: Duration, resultLifetime: Duration) -> Duration {
        switch self {
        // The login's row stays for a day after its result.
        case .server: loginLifetime + resultLifetime + .seconds(24 * 3600)
        // Client assertions and request objects live for minutes, and so do the assertions and access tokens for apps.
        case .signing, .assertion, .access: .seconds(3600)
        // An auditor has the public key.
        case .audit: .seconds(3600)
        // In this time the sweep seals every session again. The rows that are left say whether it has.
        case .session: .seconds(24 * 3600)
        // Brokers cache key sets for a day, and encrypt with the keys in them.
        case .decryption: loginLifetime + .seconds(24 * 3600)
        }
    }
}
