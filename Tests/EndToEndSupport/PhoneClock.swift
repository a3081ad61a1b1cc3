/// The phone's clock: a sleep takes no time, but moves the clock forward.
import SwitchbackClient
import Synchronization

package final class PhoneClock: Sendable {
    private let skipped = Mutex(0.0)

    package init() {}

    package var now: @Sendable () -> MonotonicInstant {
        { MonotonicInstant(seconds: MonotonicInstant.now().seconds + self.skipped.withLock { $0 }) }
    }

    package var sleep: @Sendable (Double) async throws -> Void {
        { seconds in
            await Task.yield()
            try Task.checkCancellation()
            self.skipped.withLock { $0 += seconds }
        }
    }
}
