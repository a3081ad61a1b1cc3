/// The values that were kept or used last: at most twice `limit`, in a younger and an older generation.
///
/// A value that is kept or used moves to the younger one. When that is full, it becomes the older one, and the values
/// that were older are forgotten. So forgetting costs no list of uses. Whether a value is still that of the store is
/// for its owner to know.
struct RecentValues<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// No key is in both.
    private var younger: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    /// The most values in a generation.
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    var count: Int { self.younger.count + self.older.count }

    /// Returns the value without counting that as a use.
    subscript(key: Key) -> Value? { self.younger[key] ?? self.older[key] }

    /// Returns the value, and keeps it for longer.
    mutating func use(_ key: Key) -> Value? {
        if let value = self.younger[key] { return value }
        guard let value = self.older[key] else { return nil }
        self.keep(value, for: key)
        return value
    }

    mutating func keep(_ value: Value, for key: Key) {
        self.older[key] = nil
        if self.younger.count >= self.limit, self.younger[key] == nil {
            self.older = self.younger
            self.younger = [:]
        }
        self.younger[key] = value
    }

    mutating func remove(_ key: Key) {
        self.younger[key] = nil
        self.older[key] = nil
    }
}
