import OpenIDConnect
import Synchronization

/// Measures how long one request to a broker waits in our own queue.
final class QueueTimer: Sendable {
    private let context: FetchContext?
    private let addedAt = ContinuousClock.now
    private let dequeuedAt = Mutex<ContinuousClock.Instant?>(nil)

    /// Begins the wait.
    init(_ context: FetchContext?) {
        self.context = context
        context?.beginWaiting()
    }

    var caller: [UInt8] { self.context?.caller ?? [] }

    /// Ends the wait: its turn has come, or its caller has given up. Returns the time waited; only the first call
    /// counts.
    @discardableResult
    func stop() -> Duration {
        let (at, isFirst) = self.dequeuedAt.withLock { begunAt -> (ContinuousClock.Instant, Bool) in
            if let begunAt { return (begunAt, false) }
            let now = ContinuousClock.now
            begunAt = now
            return (now, true)
        }
        if isFirst { self.context?.endWaiting() }
        return self.addedAt.duration(to: at)
    }

    var timeSinceDequeued: Duration { self.dequeuedAt.withLock { $0?.duration(to: .now) ?? .zero } }
}
