import Base
import Testing

@testable import Stores

/// Tests of the memory store's own behaviour: its tables free their memory after a peak.
@Suite struct MemoryShardTests {
    @Test func `a table shrinks and loses nothing`() throws {
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
    @Test func `a row that was moved is due once`() throws {
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

    /// An app hears for a day that its login is over.
    @Test func `tombstones go in their time`() throws {
        let shard = MemoryShard(open: PendingLoginCounter())
        for number in 1...3 as ClosedRange<UInt8> {
            #expect(shard.insert(try StoreConformanceTests.row(number, due: 1)))
            #expect(shard.replace(try StoreConformanceTests.tombstone(number, due: Int(number) * 10), revision: 1))
        }
        for (seconds, left) in [(0, [1, 2, 3]), (9, [1, 2, 3]), (10, [2, 3]), (29, [3]), (30, [])] as [(Int, [UInt8])] {
            #expect(shard.due(at: StoreConformanceTests.now + .seconds(seconds), limit: 9) == [])
            let found = try (1...3).filter { shard.load(try StoreConformanceTests.row($0).id) != nil }
            #expect(found == left, "after \(seconds) seconds")
        }
        #expect(shard.insert(try StoreConformanceTests.row(1)), "its id is free again")
    }
}
