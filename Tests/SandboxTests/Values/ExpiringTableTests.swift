import Base
import Sandbox
import Testing

/// What the provider remembers expires, and has a limit.
@Suite struct ExpiringTableTests {
    private static func at(_ seconds: Int) -> Timestamp { Timestamp(seconds: seconds) }

    /// A wrapper, so that a test can insert and take in one expression.
    private final class Table {
        private var table: ExpiringTable<Int>

        init(limit: Int = 5) { self.table = ExpiringTable(lifetime: .seconds(10), limit: limit) }

        var count: Int { self.table.count }
        func insert(_ value: Int, for key: String, at seconds: Int) -> Bool {
            self.table.insert(value, for: key, at: at(seconds))
        }
        func value(for key: String, at seconds: Int) -> Int? { self.table.value(for: key, at: at(seconds)) }
        func change(_ key: String, _ body: (inout Int) -> Void) { self.table.change(key, body) }
        func take(_ key: String, at seconds: Int) -> Int? { self.table.take(key, at: at(seconds)) }
    }

    @Test func `entries end after their time`() {
        let table = Table()
        #expect(table.insert(1, for: "a", at: 0))
        #expect(table.value(for: "a", at: 9) == 1)
        #expect(table.value(for: "a", at: 10) == nil)
        #expect(table.take("a", at: 10) == nil)
    }

    @Test func `a key stays in use until its entry ends`() {
        let table = Table()
        #expect(table.insert(1, for: "a", at: 0))
        #expect(!table.insert(2, for: "a", at: 9))
        #expect(table.insert(3, for: "a", at: 10))
        #expect(table.value(for: "a", at: 19) == 3)
    }

    @Test func `there is room again when the oldest end`() {
        let table = Table(limit: 2)
        #expect(table.insert(1, for: "a", at: 0))
        #expect(table.insert(2, for: "b", at: 5))
        #expect(!table.insert(3, for: "c", at: 9))
        #expect(table.insert(3, for: "c", at: 10))
        #expect(table.count == 2)
        #expect(table.value(for: "b", at: 10) == 2)
    }

    @Test func `an entry that was removed is gone`() {
        let table = Table()
        #expect(table.insert(1, for: "a", at: 0))
        table.change("a") { $0 += 1 }
        #expect(table.take("a", at: 1) == 2)
        #expect(table.take("a", at: 1) == nil)
        #expect(table.count == 0)
    }
}
