/// How the server wants to be polled.

/// Kept within bounds, whatever the server says: a slip there must not become a storm of requests, or silence.
public struct PollHints: Hashable, Sendable {
    /// The most seconds that a poll is held for.
    public let wait: Int
    /// The seconds between two polls that do not wait.
    public let interval: Int
    /// The seconds to let pass before the next poll.
    public let after: Double

    init(_ json: JSONValue?) {
        self.wait = min(max(json?["wait"]?.integer ?? 25, 0), 60)
        self.interval = min(max(json?["interval"]?.integer ?? 2, 1), 60)
        self.after = Double(min(max(json?["after_ms"]?.integer ?? 0, 0), 60_000)) / 1000
    }
}
