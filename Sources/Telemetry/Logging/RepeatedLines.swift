import Logging
import Synchronization

/// Writes one line a minute for each kind of event that may come thousands of times: what any client can cause at will,
/// and what every request meets in an outage.
///
/// The first event is a line at once. Those of the next minute are counted, and the last of them becomes a line when
/// the minute is over. So the field `count` of all lines adds up to the number of events. An event that belongs to a
/// login has a line of its own, so that it is not lost among those of strangers.
package final class RepeatedLines: Sendable {
    private static let interval = Duration.seconds(60)

    private struct Line {
        let level: Logger.Level
        let event: String
        let metadata: Logger.Metadata
    }

    /// What came since the last line of a kind.
    private struct Silence {
        let until: ContinuousClock.Instant
        var count = 0
        var latest: Line?
    }

    private struct State {
        var silences: [String: Silence] = [:]
        /// The keys of logins, the oldest first.
        var logins: [String] = []

        /// Returns the key of an event. Too many logins share that of their kind.
        mutating func key(_ kind: String, of login: String?, capacity: Int, at now: ContinuousClock.Instant) -> String {
            guard let login else { return kind }
            let over = self.logins.prefix { key in
                self.silences[key].map { $0.until <= now && $0.count == 0 } ?? true
            }
            for key in over { self.silences[key] = nil }
            self.logins.removeFirst(over.count)
            let own = "\(kind) \(login)"
            if self.silences[own] != nil { return own }
            guard self.logins.count < capacity else { return kind }
            self.logins.append(own)
            return own
        }
    }

    /// For lines that come once.
    let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    /// How many logins have a line of their own at the same time.
    private let capacity: Int
    private let state = Mutex(State())

    package init(
        _ logger: Logger, capacity: Int = 500, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.logger = logger
        self.capacity = capacity
        self.now = now
    }

    /// Writes the event, or counts it for a later line. `kind` is one of a closed list. Returns whether it was written.
    @discardableResult
    func log(
        level: Logger.Level, _ event: String, metadata: Logger.Metadata, kind: String, login: String? = nil
    ) -> Bool {
        let now = self.now()
        // The line may be written later, when its work is over.
        let ofWork = self.logger.metadataProvider?.get() ?? [:]
        let line = Line(level: level, event: event, metadata: ofWork.merging(metadata) { $1 })
        let count = self.state.withLock { state -> Int? in
            let key = state.key(kind, of: login, capacity: self.capacity, at: now)
            if let silence = state.silences[key], now < silence.until {
                state.silences[key]?.count += 1
                state.silences[key]?.latest = line
                return nil
            }
            // A line that was due earlier becomes part of this one.
            let count = state.silences[key]?.count ?? 0
            state.silences[key] = Silence(until: now + Self.interval)
            return count + 1
        }
        guard let count else { return false }
        self.write(line, count: count)
        return true
    }

    /// Writes what was counted in the minutes that are over. Call it about once a second.
    package func flush() {
        let now = self.now()
        self.flush { now >= $0.until }
    }

    /// Writes all that was counted. Call it at the end of the process.
    package func flushAll() { self.flush { _ in true } }

    private func flush(_ isDue: (Silence) -> Bool) {
        let due = self.state.withLock { state -> [(Line, Int)] in
            var due: [(Line, Int)] = []
            // In the order of their kinds, because that of a dictionary is random.
            for (key, silence) in state.silences.sorted(by: { $0.key < $1.key }) where isDue(silence) {
                guard let latest = silence.latest else {
                    state.silences[key] = nil
                    continue
                }
                due.append((latest, silence.count))
                state.silences[key] = Silence(until: silence.until + Self.interval)
            }
            return due
        }
        for (line, count) in due { self.write(line, count: count) }
    }

    private func write(_ line: Line, count: Int) {
        var metadata = line.metadata
        metadata["count"] = .stringConvertible(count)
        self.logger.log(level: line.level, "\(line.event)", metadata: metadata)
    }
}
