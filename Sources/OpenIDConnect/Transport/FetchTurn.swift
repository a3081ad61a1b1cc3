/// For whom a provider is asked, and for how long the request has waited for its turn in our own queue.
///
/// It belongs to the task, so that whoever builds a request need not hand it on.
import Synchronization

package final class FetchTurn: Sendable {
    @TaskLocal package static var current: FetchTurn?

    private struct Waits {
        var total = Duration.zero
        var since: ContinuousClock.Instant?
        var count = 0
    }

    /// The network of whoever caused the request; empty for nobody in particular. Requests wait in turn, by this.
    package let caller: [UInt8]
    private let waits = Mutex(Waits())

    package init(caller: [UInt8] = []) { self.caller = caller }

    /// For how long at least one request has waited. That is not the provider's time.
    package var waited: Duration {
        self.waits.withLock { $0.total + ($0.since?.duration(to: .now) ?? .zero) }
    }

    /// A request begins to wait.
    package func begin() {
        self.waits.withLock { waits in
            if waits.count == 0 { waits.since = .now }
            waits.count += 1
        }
    }

    package func end() {
        self.waits.withLock { waits in
            guard waits.count > 0 else { return }
            waits.count -= 1
            guard waits.count == 0, let since = waits.since else { return }
            waits.total += since.duration(to: .now)
            waits.since = nil
        }
    }
}
