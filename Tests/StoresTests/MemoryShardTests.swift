/// What the memory store keeps for itself alone: its tables give back the room that a peak has taken.
import Testing

@testable import Stores

@Suite struct MemoryShardTests {
    @Test func aTableShrinksAndLosesNothing() throws {
        let shard = MemoryShard(open: OpenCounter())
        for number in 0..<20_000 { #expect(shard.insert(try SQLiteStoreTests.row(number))) }
        let peak = shard.capacity
        for number in 0..<19_900 { #expect(shard.remove(try SQLiteStoreTests.row(number).id, revision: 1)) }
        #expect(shard.capacity < peak / 8)
        for number in 19_900..<20_000 {
            let row = try SQLiteStoreTests.row(number)
            #expect(shard.load(row.id) == row)
        }
    }
}
