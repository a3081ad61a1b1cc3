/// Tests of the memory store's own behaviour: its tables free their memory after a peak.
import Base
import Testing

@testable import Stores

@Suite struct MemoryShardTests {
    @Test func aTableShrinksAndLosesNothing() throws {
        let shard = MemoryShard(open: PendingLoginCounter())
        for number in 0..<20_000 { #expect(shard.insert(try SQLiteStoreTests.row(number))) }
        let peak = shard.capacity
        for number in 0..<19_900 { #expect(shard.remove(try SQLiteStoreTests.row(number).id, revision: 1)) }
        #expect(shard.capacity < peak / 8)
        for number in 19_900..<20_000 {
            let row = try SQLiteStoreTests.row(number)
            #expect(shard.load(row.id) == row)
        }
    }

    /// Each row was changed so often that the calendar is full of stale entries.
    @Test func whatWasMovedIsDueOnce() throws {
        let shard = MemoryShard(open: PendingLoginCounter())
        for number in 0..<100 {
            #expect(shard.insert(try SQLiteStoreTests.row(number)))
            for revision in 2...20 as ClosedRange<Int> {
                let moved = try SQLiteStoreTests.row(number, revision: Int64(revision), due: 60 + revision)
                #expect(shard.replace(moved, revision: Int64(revision) - 1))
            }
        }
        #expect(shard.due(at: Timestamp(seconds: 5_079), limit: 1000) == [])
        let due = shard.due(at: Timestamp(seconds: 90_000), limit: 1000)
        #expect(due.count == 100 && Set(due.map(\.id)).count == 100)
        #expect(shard.due(at: Timestamp(seconds: 90_000), limit: 7).count == 7, "they stay until they are moved")
    }
}
