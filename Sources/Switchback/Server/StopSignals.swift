/// Decides what a signal to stop means. Times are those of a monotonic clock, so that a wall clock that is set changes nothing.
struct StopSignals {
    enum Action: Equatable {
        case begin
        /// The same request again: a service manager and a shell often send the signal twice.
        case ignore
        case endAtOnce
    }

    /// A signal within this time of the first one is the same request.
    static let grace = Duration.seconds(1)

    private var first: Duration?

    mutating func take(at now: Duration) -> Action {
        guard let first else {
            self.first = now
            return .begin
        }
        return now - first < Self.grace ? .ignore : .endAtOnce
    }
}
