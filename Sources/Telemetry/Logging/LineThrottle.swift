/// Lets one line a minute through for each kind of event that any client can cause at will, and one for each login that
/// such an event belongs to.
import Synchronization

final class LineThrottle: Sendable {
    private struct Silence {
        var until: ContinuousClock.Instant
        var missed = 0
    }

    private struct State {
        var silences: [String: Silence] = [:]
        /// The keys of logins, the oldest first. All are silent for the same time, so they end in this order.
        var logins: [String] = []

        mutating func forgetLogins(at now: ContinuousClock.Instant) {
            let ended = self.logins.prefix { key in self.silences[key].map { $0.until <= now } ?? true }
            for key in ended { self.silences[key] = nil }
            self.logins.removeFirst(ended.count)
        }
    }

    private let interval: Duration
    /// How many logins have a line of their own at the same time. The others share that of their kind.
    private let capacity: Int
    private let state = Mutex(State())

    init(interval: Duration = .seconds(60), capacity: Int = 500) {
        self.interval = interval
        self.capacity = capacity
    }

    /// Returns how many events the line represents, including this one; nil when no line is written. The kinds are a
    /// closed list.
    func lines(for kind: String, of login: String? = nil, at now: ContinuousClock.Instant = .now) -> Int? {
        self.state.withLock { state in
            state.forgetLogins(at: now)
            var key = kind
            if let login {
                let own = "\(kind) \(login)"
                let isKnown = state.silences[own] != nil
                if isKnown || state.logins.count < self.capacity { key = own }
                if !isKnown, key == own { state.logins.append(own) }
            }
            if let silence = state.silences[key], now < silence.until {
                state.silences[key]?.missed += 1
                return nil
            }
            let missed = state.silences[key]?.missed ?? 0
            state.silences[key] = Silence(until: now + self.interval)
            return missed + 1
        }
    }
}
