import Dispatch
import Logging
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// This is safe because the mutable state is guarded, and Dispatch sources may be used on all threads.
/// Ends the process immediately, even during work: on a second stop signal that comes at least a second after the
/// first, or when the shutdown exceeds its time limit.
final class SecondSignalHandler: @unchecked Sendable {
    private let signals = Mutex(StopSignals())
    private let isCancelled = Atomic(false)
    private let sources: [any DispatchSourceSignal]

    private let queue = DispatchQueue(label: "switchback.signals")
    private let start = ContinuousClock.now
    private let limit: @Sendable () -> Duration
    private let logger: Logger
    private let flush: @Sendable () -> Void

    /// Watches until it is cancelled. `limit` returns how long a shutdown may take; it is called at the first signal.
    /// `flush` waits for the last log line, for a second at most.
    init(
        _ signals: [Int32] = [SIGTERM, SIGINT], limit: @escaping @Sendable () -> Duration, logger: Logger,
        flush: @escaping @Sendable () -> Void = {}
    ) {
        let queue = self.queue
        self.limit = limit
        self.logger = logger
        self.flush = flush
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
        // DispatchTime uses a monotonic clock, which DispatchWallTime does not.
        self.queue.asyncAfter(deadline: .now() + .seconds(limit)) { @Sendable [weak self] in
            self?.end("stopping took more than \(limit) s", signal)
        }
    }

    /// Exits without running exit handlers, because they would wait for threads that wait for something else.
    private func end(_ reason: String, _ signal: Int32) {
        guard !self.isCancelled.load(ordering: .relaxed) else { return }
        self.logger.error("stopped_at_once", metadata: ["reason": "\(reason)"])
        self.flush()
        // The exit code that a shell reports for a process ended by this signal.
        _exit(128 + signal)
    }
}

/// Decides what a stop signal means. The times are monotonic, so that setting the wall clock changes nothing.
struct StopSignals {
    enum Action: Equatable {
        case begin
        /// A repetition of the same request: service managers and shells often send the signal twice.
        case ignore
        case endAtOnce
    }

    /// A signal within this time after the first counts as the same request.
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
