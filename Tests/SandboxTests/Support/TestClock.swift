import Base
import Synchronization

/// A clock that only a test moves.
final class TestClock: Sendable {
    private let moment = Mutex(Timestamp(seconds: 1_800_000_000))

    var now: Timestamp { self.moment.withLock { $0 } }

    func advance(by duration: Duration) { self.moment.withLock { $0 = $0 + duration } }
}
