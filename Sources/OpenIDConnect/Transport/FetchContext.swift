import Synchronization

/// Describes requests to a provider: their caller, the time they have waited in our own queue, and their time limit.
///
/// It is a task-local value, so that code that builds a request need not pass it on.
package final class FetchContext: Sendable {
    @TaskLocal package static var current: FetchContext?

    private struct Waits {
        var total = Duration.zero
        var since: ContinuousClock.Instant?
        var count = 0
    }

    /// A context and its `withoutLimit` share it.
    private final class SharedWaits: Sendable {
        let state = Mutex(Waits())
    }

    /// The network of the caller who caused the request; empty when there is none. Callers take turns in the queue.
    package let caller: [UInt8]
    /// The most time for all requests of this context. Nil: each request has only its own limit.
    private let limit: Duration?
    /// The longest time that a request of this context may wait in our own queue. Nil: as long as any other.
    package let longestWait: Duration?
    /// Is told what waits, and permits the request that may happen once.
    package let observer: (any QueueObserver)?
    private let begunAt = ContinuousClock.now
    private let waits: SharedWaits

    package convenience init(
        caller: [UInt8] = [], limit: Duration? = nil, longestWait: Duration? = nil,
        observer: (any QueueObserver)? = nil
    ) {
        self.init(caller, limit, longestWait, observer, SharedWaits())
    }

    private init(
        _ caller: [UInt8], _ limit: Duration?, _ longestWait: Duration?, _ observer: (any QueueObserver)?,
        _ waits: SharedWaits
    ) {
        self.caller = caller
        self.limit = limit
        self.longestWait = longestWait
        self.observer = observer
        self.waits = waits
    }

    /// The same caller without a limit, for a fetch that others wait for too.
    func withoutLimit() -> FetchContext { FetchContext(self.caller, nil, nil, nil, self.waits) }

    /// The time since the context began, without the time that at least one request waited in our own queue, which is
    /// not the provider's.
    package var usedTime: Duration {
        let waitTime = self.waits.state.withLock { $0.total + ($0.since?.duration(to: .now) ?? .zero) }
        return self.begunAt.duration(to: .now) - waitTime
    }

    /// The time that remains, zero or less when there is none. Nil if there is no limit.
    package var remainingTime: Duration? { self.limit.map { $0 - self.usedTime } }

    /// Called when a request begins to wait.
    package func beginWaiting() {
        self.waits.state.withLock { waits in
            if waits.count == 0 { waits.since = .now }
            waits.count += 1
        }
    }

    package func endWaiting() {
        self.waits.state.withLock { waits in
            guard waits.count > 0 else { return }
            waits.count -= 1
            guard waits.count == 0, let since = waits.since else { return }
            waits.total += since.duration(to: .now)
            waits.since = nil
        }
    }
}

/// Follows the requests of one piece of work through our own queue.
package protocol QueueObserver: Sendable {
    /// A request has to wait for its turn. Called on the loop of the connections, so it must be quick.
    func waits(_ delivery: ProviderRequest.Delivery)

    /// The turn of a request that may happen once has come. It is sent only if this returns true. Called again if the
    /// request could not be sent.
    func maySend() async -> Bool
}
