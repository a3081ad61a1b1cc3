import Base
import Synchronization

/// A clock that only moves when a test moves it.
final class ManualClock: Sendable {
    private let moment = Mutex(Timestamp(seconds: 1_772_366_400))

    var now: @Sendable () -> Timestamp { { self.moment.withLock { $0 } } }

    func move(by duration: Duration) { self.moment.withLock { $0 = $0 + duration } }
}
