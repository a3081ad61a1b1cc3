import Synchronization

/// Values that are made once for each key, up to a limit.
final class ValueCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let limit: Int
    private let values = Mutex<[Key: Value]>([:])

    init(limit: Int) { self.limit = limit }

    /// Returns the value of this key. Makes it if nobody has asked for it before.
    func value(_ key: Key, _ make: (Key) -> Value) -> Value {
        if let value = self.values.withLock({ $0[key] }) { return value }
        let value = make(key)
        self.values.withLock { values in
            if values.count < self.limit { values[key] = value }
        }
        return value
    }
}
