import Base

/// The times and counts that every session obeys.
package struct SessionRules: Equatable, Sendable {
    package var accessTokenLifetime = Duration.seconds(300)
    /// How long an unlocked session needs no PIN after it was used.
    package var idle = Duration.seconds(300)
    package var lifetime = Duration.seconds(30 * 86_400)
    /// The lifetime of a session whose app or key a phone's maker has attested.
    package var attestedLifetime = Duration.seconds(180 * 86_400)
    /// How many wrong PINs in a row destroy the PIN's secret.
    package var pinTries = 5
    /// Sessions that began before this time have ended.
    package var validFrom: Timestamp?
    /// By provider: the idle time that its e-ID's rules ask for. Without a PIN the session then needs a new login.
    package var idleLimits: [String: Duration] = [:]

    package init() {}

    func idle(after login: SessionLogin) -> Duration { min(self.idle, self.idleLimits[login.provider] ?? self.idle) }

    /// How long after an e-ID login it gives access tokens by itself, and its session may act without a PIN: set one, list
    /// sessions, end them.
    static let freshLogin = Duration.seconds(15 * 60)
    /// How many wrong PINs destroy the PIN's secret, with right ones between them.
    static let pinTriesInAll = 100
    /// How long a tombstone is kept.
    static let tombstone = Duration.seconds(24 * 60 * 60)
}
