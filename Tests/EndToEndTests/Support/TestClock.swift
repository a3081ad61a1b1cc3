/// The time that a server under test believes in: the real one, moved on when a test says so.
import Base
import Synchronization

final class TestClock: Sendable {
    private let offset = Mutex(Duration.zero)

    var now: @Sendable () -> Timestamp {
        { WallClock.now() + self.offset.withLock { $0 } }
    }

    func advance(by duration: Duration) { self.offset.withLock { $0 += duration } }
}
