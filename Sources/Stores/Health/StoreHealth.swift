import Synchronization

/// Reports why a store does not work: once when the problem begins and once when it ends. So a full disk does not cause
/// a log line for each login.
final class StoreHealth: Sendable {
    private let current = Mutex<StorageError?>(nil)
    /// Nil means that the store works again.
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

/// Counts the open rows of a store, as rows are added and removed.
final class PendingLoginCounter: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { self.value.load(ordering: .relaxed) }

    func add(_ change: Int) { self.value.add(change, ordering: .relaxed) }
}
