import Base
import Synchronization

/// The logins whose results this process has sent to their apps, until they are acknowledged.
///
/// It remembers at most 100,000: apps that never acknowledge must not fill the memory.
final class Deliveries: Sendable {
    private let logins = Mutex(RecentValues<LoginID, Bool>(limit: 50_000))

    func note(_ login: LoginID) {
        self.logins.withLock { $0.keep(true, for: login) }
    }

    /// Forgets the login. Returns whether it was sent.
    @discardableResult
    func take(_ login: LoginID) -> Bool { self.logins.withLock { $0.remove(login) } }
}
