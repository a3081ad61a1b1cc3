import Base

/// The times and counts that every session obeys.
struct SessionRules: Equatable, Sendable {
    /// How long an unlocked session needs no PIN after it was used.
    let idle: Duration
    let lifetime: Duration
    /// The lifetime of a session whose app or key a phone's maker has attested.
    let attestedLifetime: Duration
    /// How many wrong PINs in a row destroy the PIN's secret.
    let pinTries: Int
    /// Sessions that began before this time have ended.
    let validFrom: Timestamp?
    /// By provider: the idle time that its e-ID's rules ask for. Without a PIN the session then needs a new login.
    var idleLimits: [String: Duration] = [:]

    func idle(after login: SessionLogin) -> Duration { min(self.idle, self.idleLimits[login.provider] ?? self.idle) }

    /// How long after an e-ID login it gives access tokens by itself, and its session may act without a PIN: set one, list
    /// sessions, end them.
    static let freshLogin = Duration.seconds(15 * 60)
    /// How many wrong PINs destroy the PIN's secret, with right ones between them.
    static let pinTriesInAll = 100
    /// How long a tombstone is kept.
    static let tombstone = Duration.seconds(24 * 60 * 60)
}
