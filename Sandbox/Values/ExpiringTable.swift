import Base

/// A table whose entries expire, with a maximum number of entries.
///
/// All entries of a table live equally long, so the oldest one always expires first.
package struct ExpiringTable<Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        let deadline: Timestamp
    }

    private let lifetime: Duration
    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var order: [(key: String, deadline: Timestamp)] = []

    package init(lifetime: Duration, limit: Int) {
        self.lifetime = lifetime
        self.limit = limit
    }

    package var count: Int { self.entries.count }

    /// Returns false if the table is full or the key is taken.
    package mutating func insert(_ value: Value, for key: String, at now: Timestamp) -> Bool {
        self.forget(before: now)
        guard self.entries.count < self.limit, self.entries[key] == nil else { return false }
        let deadline = now + self.lifetime
        self.entries[key] = Entry(value: value, deadline: deadline)
        self.order.append((key, deadline))
        return true
    }

    package func value(for key: String, at now: Timestamp) -> Value? {
        guard let entry = self.entries[key], now < entry.deadline else { return nil }
        return entry.value
    }

    /// Returns nil if there is no such entry (any more). What `body` has changed before it throws stays changed.
    @discardableResult
    package mutating func change<Result, Failure>(
        _ key: String, _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard var entry = self.entries[key] else { return nil }
        defer { self.entries[key] = entry }
        return try body(&entry.value)
    }

    package mutating func take(_ key: String, at now: Timestamp) -> Value? {
        guard let value = self.value(for: key, at: now) else { return nil }
        self.entries[key] = nil
        return value
    }

    private mutating func forget(before now: Timestamp) {
        let expiredEntries = self.order.prefix { $0.deadline <= now }
        guard !expiredEntries.isEmpty else { return }
        // Keys are never reused, so an entry that was taken early cannot have been replaced by another one.
        for (key, _) in expiredEntries { self.entries[key] = nil }
        self.order.removeFirst(expiredEntries.count)
    }
}

/// Names that cannot be guessed, for codes, tokens and pages.
enum RandomName {
    /// Returns 256 random bits in base64url.
    static func make() -> String { Base64URL.encode(RandomBytes.make(32)) }
}

/// The beginning of a login's id, by which the sandbox recognises the login at a broker. The server begins its `state`,
/// and the tokens of its pages, with the bytes of the id.
struct LoginMark: Hashable, Sendable {
    /// 21 letters of base64url are 126 of the id's 128 bits.
    private static let length = 21

    let text: String

    /// Returns nil for a text that is too short.
    init?(_ text: String) {
        guard text.utf8.count >= Self.length else { return nil }
        self.text = String(text.prefix(Self.length))
    }
}
