/// Why there is no answer yet. It is being asked again; nothing is lost.
public enum Trouble: Hashable, Sendable {
    /// No connection, or none in time.
    case noAnswer
    /// Too often, or too many at once.
    case tooMany
    /// The server has a problem, or the broker cannot be reached.
    case unavailable
    /// The answer is none of Switchback's: a hotel's page, a proxy's.
    case notUnderstood(status: Int)
}
