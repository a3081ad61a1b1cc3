import Base
import Synchronization

/// The time that a server under test sees: the real time plus what a test adds.
package final class TestClock: Sendable {
    private let offset = Mutex(Duration.zero)

    package init() {}

    package var now: @Sendable () -> Timestamp {
        { WallClock.now() + self.offset.withLock { $0 } }
    }

    package func advance(by duration: Duration) { self.offset.withLock { $0 += duration } }
}
