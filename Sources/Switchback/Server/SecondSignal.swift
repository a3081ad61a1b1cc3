/// Whoever asks a second time to stop does not want to wait: the process ends at once, whatever is under way. So it does
/// when stopping takes longer than it may.
import Dispatch
import Logging
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Safe because nothing changes but the count, which is guarded, and Dispatch's sources are for all threads.
final class SecondSignal: @unchecked Sendable {
    private let seen = Atomic(0)
    private let isCancelled = Atomic(false)
    private let sources: [any DispatchSourceSignal]

    private let queue = DispatchQueue(label: "switchback.signals")
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
                guard let self else { return }
                self.take(signal, count: Int(self.sources[index].data))
            }
            self.sources[index].resume()
        }
    }

    func cancel() {
        self.isCancelled.store(true, ordering: .relaxed)
        for source in self.sources { source.cancel() }
    }

    private func take(_ signal: Int32, count: Int) {
        let seen = self.seen.add(count, ordering: .relaxed).newValue
        guard seen < 2 else { return self.end("a second signal", signal) }
        let limit = Int(self.limit().components.seconds)
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
