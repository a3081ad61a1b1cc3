/// The phone's clock and its patience: waiting takes no time, but the clock goes on.
import SwitchbackClient
import Synchronization

final class PhoneClock: Sendable {
    private let skipped = Mutex(0.0)

    var now: @Sendable () -> Moment {
        { Moment(seconds: Moment.now().seconds + self.skipped.withLock { $0 }) }
    }

    var sleep: @Sendable (Double) async throws -> Void {
        { seconds in
            await Task.yield()
            try Task.checkCancellation()
            self.skipped.withLock { $0 += seconds }
        }
    }
}
