/// The values that were kept or used last: at most twice `limit`, in a younger and an older generation.
///
/// A value that is kept or used moves to the younger one. When that is full, it becomes the older one, and the values
/// that were older are forgotten. So forgetting costs no list of uses. Whether a value is still right is for its
/// owner to know.
package struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// No key is in both.
    private var younger: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    /// The most values in a generation.
    private let limit: Int

    package init(limit: Int) { self.limit = limit }

    package var count: Int { self.younger.count + self.older.count }

    /// Returns the value without counting that as a use.
    package subscript(key: Key) -> Value? { self.younger[key] ?? self.older[key] }

    /// Returns the value, and keeps it for longer.
    package mutating func use(_ key: Key) -> Value? {
        if let value = self.younger[key] { return value }
        guard let value = self.older[key] else { return nil }
        self.keep(value, for: key)
        return value
    }

    package mutating func keep(_ value: Value, for key: Key) {
        self.older[key] = nil
        if self.younger.count >= self.limit, self.younger[key] == nil {
            self.older = self.younger
            self.younger = [:]
        }
        self.younger[key] = value
    }

    /// Forgets the value. Returns whether it was there.
    @discardableResult
    package mutating func remove(_ key: Key) -> Bool {
        self.younger.removeValue(forKey: key) != nil || self.older.removeValue(forKey: key) != nil
    }
}
