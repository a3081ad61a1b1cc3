import Base
import Testing

@testable import Logins

/// A table in memory returns each row as it was stored.
@Suite struct LoginTableTests {
    private static let id = LoginID(Array(0..<16))

    @Test(
        arguments: [0, 1, .max, .min],
        [(false, false), (true, false), (false, true), (true, true)])
    func `a row is returned as it was stored`(_ revision: Int64, _ flags: (isOpen: Bool, isOver: Bool)) throws {
        let row = SealedLogin(
            id: try #require(Self.id), revision: revision, due: Timestamp(milliseconds: 1_234), isOpen: flags.isOpen,
            isOver: flags.isOver, bytes: [1, 2, 3])
        var table = LoginTable()
        #expect(table.store(row) == nil)
        #expect(table[row.id] == row && table.contains(row.id))
        #expect(table.store(row) == row)
        #expect(table.remove(row.id) == row)
        #expect(table[row.id] == nil && !table.contains(row.id) && table.remove(row.id) == nil)
    }
}
