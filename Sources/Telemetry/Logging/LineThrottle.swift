/// Lets one line a minute through for each kind of event that any client can cause at will.
import Synchronization

final class LineThrottle: Sendable {
    private struct Silence {
        var until: ContinuousClock.Instant
        var missed = 0
    }

    private let interval: Duration
    private let silences = Mutex<[String: Silence]>([:])

    init(interval: Duration = .seconds(60)) { self.interval = interval }

    /// Returns how many events the line represents, including this one; nil when no line is written. The kinds are a
    /// closed list.
    func lines(for kind: String, at now: ContinuousClock.Instant = .now) -> Int? {
        self.silences.withLock { silences in
            if let silence = silences[kind], now < silence.until {
                silences[kind]?.missed += 1
                return nil
            }
            let missed = silences[kind]?.missed ?? 0
            silences[kind] = Silence(until: now + self.interval)
            return missed + 1
        }
    }
}
