/// Ends the process at once, whatever is under way, when it is asked to stop again after a second, or when stopping takes
/// longer than it may.
import Dispatch
import Logging
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Safe because what changes is guarded, and Dispatch's sources are for all threads.
final class SecondSignal: @unchecked Sendable {
    private let signals = Mutex(StopSignals())
    private let isCancelled = Atomic(false)
    private let sources: [any DispatchSourceSignal]

    private let queue = DispatchQueue(label: "switchback.signals")
    private let start = ContinuousClock.now
    private let limit: @Sendable () -> Duration
    private let logger: Logger

    /// Watches until it is cancelled. `limit` is how long stopping may take, from the first signal on; asked then.
    init(_ signals: [Int32] = [SIGTERM, SIGINT], limit: @escaping @Sendable () -> Duration, logger: Logger) {
        let queue = self.queue
        self.limit = limit
        self.logger = logger
        self.sources = signals.map { DispatchSource.makeSignalSource(signal: $0, queue: queue) }
        for (index, signal) in signals.enumerated() {
            self.sources[index].setEventHandler { @Sendable [weak self] in
                self?.take(signal)
            }
            self.sources[index].resume()
        }
    }

    func cancel() {
        self.isCancelled.store(true, ordering: .relaxed)
        for source in self.sources { source.cancel() }
    }

    private func take(_ signal: Int32) {
        let elapsed = self.start.duration(to: .now)
        switch self.signals.withLock({ $0.take(at: elapsed) }) {
        case .begin: self.endLater(signal)
        case .ignore: break
        case .endAtOnce: self.end("a second signal", signal)
        }
    }

    private func endLater(_ signal: Int32) {
        let limit = Int(self.limit().components.seconds)
        // DispatchTime counts on a monotonic clock; DispatchWallTime would not.
        self.queue.asyncAfter(deadline: .now() + .seconds(limit)) { @Sendable [weak self] in
            self?.end("stopping took more than \(limit) s", signal)
        }
    }

    /// No exit handler runs: it would wait for threads that wait for something else.
    private func end(_ reason: String, _ signal: Int32) {
        guard !self.isCancelled.load(ordering: .relaxed) else { return }
        self.logger.error("stopped_at_once", metadata: ["reason": "\(reason)"])
        // As a shell tells of a process that a signal has ended.
        _exit(128 + signal)
    }
}

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
