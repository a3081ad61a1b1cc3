/// What a list of keys is for, and how long each step of a rotation has to last.
package enum KeyUse: String, CaseIterable, Sendable {
    case server, signing, assertion, decryption

    /// The setting that lists the keys.
    package var setting: String { self == .server ? "server_keys" : "keys.\(self.rawValue)" }

    /// From the making of a key until it is used, at least. Every server has to know it by then, and brokers and the APIs of
    /// apps keep key sets for a day.
    package static let publication = Duration.seconds(24 * 3600)

    /// From the moment when another key takes over until nothing that was made with this one is needed.
    package func retention(loginLifetime: Duration, resultLifetime: Duration) -> Duration {
        switch self {
        // A row stays for a day after its result.
        case .server: loginLifetime + resultLifetime + .seconds(24 * 3600)
        // Client assertions and request objects live for minutes, as assertions do.
        case .signing, .assertion: .seconds(3600)
        // Brokers keep key sets for a day, and encrypt with what stands in them.
        case .decryption: loginLifetime + .seconds(24 * 3600)
        }
    }
}
