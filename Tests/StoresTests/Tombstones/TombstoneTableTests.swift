import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// Tests of the tombstones in memory: each is found, removed at its time, and takes at most 64 bytes.
@Suite struct TombstoneTableTests {
    static func tombstone(_ number: Int, due: Int) throws -> PackedTombstone {
        // Random as a hash is.
        var random = SplitMix64(seed: UInt64(number))
        let id = try #require(LoginID((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }))
        let bytes = (0..<SealedLogin.tombstoneByteCount).map { UInt8(truncatingIfNeeded: number + $0) }
        return PackedTombstone(id: id, due: UInt32(due), bytes: bytes)
    }

    /// Against a dictionary, through growing and shrinking.
    @Test(arguments: 0..<5) func `a table holds what a dictionary holds`(seed: UInt64) throws {
        var (random, table, known) = (SplitMix64(seed: seed), TombstoneTable(), [LoginID: PackedTombstone]())
        for now in 1...60 {
            for number in 0..<Int.random(in: 0...40, using: &random) {
                let tombstone = try Self.tombstone(now * 100 + number, due: now + .random(in: 0...20, using: &random))
                table.add(tombstone)
                known[tombstone.id] = tombstone
            }
            let left = known.filter { $0.value.due > now }
            #expect(table.removeDue(at: Timestamp(seconds: now)) == known.count - left.count)
            for (id, tombstone) in known { #expect(table[id] == (left[id] == nil ? nil : tombstone)) }
            known = left
            #expect(table.count == known.count)
        }
    }

    /// An attacker has 36,000 logins whose ids agree in all the bytes that they chose by trying. A look-up compares no
    /// more of them than of others: one in 256.
    @Test func `IDs that an attacker chose do not lengthen a look-up`() throws {
        var table = TombstoneTable()
        var random = SplitMix64(seed: 16)
        var ids: [LoginID] = []
        for number in 0..<36_000 {
            var bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }
            (bytes[0], bytes[1], bytes[14], bytes[15]) = (7, 7, 7, 7)
            let id = try #require(LoginID(bytes))
            ids.append(id)
            let sealed = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: SealedLogin.tombstoneByteCount)
            table.add(PackedTombstone(id: id, due: 90, bytes: sealed))
        }
        let compared = try (0..<200).map { _ in table.candidates(for: try #require(ids.randomElement(using: &random))) }
        #expect(compared.allSatisfy { $0 < 36_000 / 256 * 2 }, "\(compared.max() ?? 0)")
        #expect(table[ids[17]]?.bytes.first == 17)
    }

    @Test func `a tombstone takes at most 64 bytes`() throws {
        var table = TombstoneTable()
        var largest = 0.0
        for number in 0..<4000 {
            table.add(try Self.tombstone(number, due: number))
            if number >= 500 { largest = max(largest, Double(table.byteCount) / Double(table.count)) }
        }
        for now in stride(from: 0, to: 3600, by: 10) {
            _ = table.removeDue(at: Timestamp(seconds: now))
            largest = max(largest, Double(table.byteCount) / Double(table.count))
        }
        #expect(largest <= 64)
    }

    /// A row that is no tombstone, or that cannot be kept in as few bytes, stays a row.
    @Test func `only a tombstone is packed`() throws {
        let packed = try Self.tombstone(1, due: 90)
        #expect(PackedTombstone(packed.row) == packed)
        let (id, due, bytes) = (packed.id, packed.row.due, packed.bytes)
        for row in [
            SealedLogin(tombstoneOf: id, due: due + .milliseconds(1), bytes: bytes),
            SealedLogin(tombstoneOf: id, due: Timestamp(seconds: -1), bytes: bytes),
            SealedLogin(tombstoneOf: id, due: Timestamp(seconds: 1 << 32), bytes: bytes),
            SealedLogin(tombstoneOf: id, due: Timestamp(milliseconds: .max), bytes: bytes),
            SealedLogin(tombstoneOf: id, due: due, bytes: bytes + [1]),
            SealedLogin(id: id, revision: 1, due: due, isOpen: false, isOver: true, bytes: bytes),
            SealedLogin(id: id, revision: 0, due: due, isOpen: false, bytes: bytes),
        ] {
            #expect(PackedTombstone(row) == nil)
        }
    }
}
