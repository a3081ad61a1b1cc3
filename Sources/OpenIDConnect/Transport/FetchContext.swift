/// Who caused requests to a provider, and how long these waited in our own queue.
///
/// It is a task-local value, so that code that builds a request need not pass it on.
import Synchronization

package final class FetchContext: Sendable {
    @TaskLocal package static var current: FetchContext?

    private struct Waits {
        var total = Duration.zero
        var since: ContinuousClock.Instant?
        var count = 0
    }

    /// The network of the caller who caused the request; empty when there is none. Callers take turns in the queue.
    package let caller: [UInt8]
    private let waits = Mutex(Waits())

    package init(caller: [UInt8] = []) { self.caller = caller }

    /// How long at least one request has waited. This is not the provider's time.
    package var waited: Duration {
        self.waits.withLock { $0.total + ($0.since?.duration(to: .now) ?? .zero) }
    }

    /// Called when a request begins to wait.
    package func beginWaiting() {
        self.waits.withLock { waits in
            if waits.count == 0 { waits.since = .now }
            waits.count += 1
        }
    }

    package func endWaiting() {
        self.waits.withLock { waits in
            guard waits.count > 0 else { return }
            waits.count -= 1
            guard waits.count == 0, let since = waits.since else { return }
            waits.total += since.duration(to: .now)
            waits.since = nil
        }
    }
}
