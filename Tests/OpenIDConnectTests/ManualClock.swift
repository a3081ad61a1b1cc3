/// A clock that stands still until a test moves it.
import Base
import OpenIDConnect
import Synchronization

final class ManualClock: Sendable {
    private let moment = Mutex(Example.now)

    var now: Timestamp { self.moment.withLock { $0 } }

    func advance(_ duration: Duration) {
        self.moment.withLock { $0 = $0 + duration }
    }
}
