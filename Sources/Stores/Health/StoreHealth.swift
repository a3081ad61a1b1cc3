/// What keeps a store from working now, told once when it begins and once when it ends: a full disk is not a line for each login.
import Synchronization

final class StoreHealth: Sendable {
    private let current = Mutex<StorageError?>(nil)
    /// Nil: it works again.
    private let observe: @Sendable (StorageError?) -> Void

    init(_ observe: @escaping @Sendable (StorageError?) -> Void) { self.observe = observe }

    func note(_ cause: StorageError?) {
        let isNews = self.current.withLock { current in
            defer { current = cause }
            return current != cause
        }
        if isNews { self.observe(cause) }
    }
}
