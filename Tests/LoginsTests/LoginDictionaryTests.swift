import TestSupport
import Testing

@testable import Logins

/// A table by login ids behaves as a dictionary does.
@Suite struct LoginDictionaryTests {
    private static let masks: [UInt64] = [.max, 0xFF, 0xFF00_0000_0000_0000, 0xFF_FFFF_FFFF]

    /// After any sequence of calls it has the same entries as a dictionary, whatever the ids have in common.
    @Test(arguments: masks, TestTier.few(Array(1...8), oneOf: 2))
    func `a table has the same entries as a dictionary`(_ mask: UInt64, _ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var (table, expected) = (LoginDictionary<Int>(), [LoginID: Int]())
        // First it grows, then it shrinks to nothing.
        for (removals, rounds) in [(20, 3000), (60, 12000)] {
            for round in 0..<rounds {
                let id = try Self.id(.random(in: 0...2000, using: &random) &* 0x9E37_79B9_7F4A_7C15 & mask)
                if Int.random(in: 0..<100, using: &random) < removals {
                    let some = expected.keys.randomElement(using: &random) ?? id
                    #expect(table.removeValue(forKey: some) == expected.removeValue(forKey: some))
                } else {
                    #expect(table.updateValue(round, forKey: id) == expected.updateValue(round, forKey: id))
                }
                #expect(table.count == expected.count && table[id] == expected[id])
            }
            Self.expectSame(table, expected)
        }
        for id in expected.keys {
            table[id] = nil
            #expect(!table.contains(id) && table.removeValue(forKey: id) == nil)
        }
        #expect(table.count == 0 && Array(table.all).isEmpty)
    }

    /// What an attacker can try: ids that agree in some of their bytes, and numbers in a row. The slots that a look-up
    /// reads stay as few as for any ids: 2.5 on average at the fullest (Knuth, volume 3, §6.4).
    @Test(
        arguments: [
            { $0 }, { $0 << 16 }, { $0 << 32 }, { $0 << 48 }, { $0 &* 0x9E37_79B9_7F4A_7C15 }, { $0 << 44 | 0xFFF },
        ] as [@Sendable (UInt64) -> UInt64]) func `keys that an attacker chose do not collide`(
            _ key: @Sendable (UInt64) -> UInt64
        ) throws
    {
        var index = LoginIndex()
        let ids = try (0..<12_000 as Range<UInt64>).map { try Self.id(key($0)) }
        for id in ids { index.append(id) }
        let probes = ids.reduce(0) { $0 + index.probes(of: $1) }
        #expect(Double(probes) / Double(ids.count) < 4)
        // A hash with the same key for all tables of the process, and with another one in the next process.
        let hashes = ids.map(\.tableHash)
        #expect(Set(hashes.map { hash in hash & 0xFF }).count == 256)
        #expect(Set(hashes.map { hash in hash >> 56 }).count == 256)
    }

    @Test func `a table keeps little room and frees it`() throws {
        var table = LoginDictionary<Int>()
        for number in 0..<10_000 as Range<UInt64> { table[try Self.id(number)] = Int(number) }
        #expect(table.capacity <= 11_300, "an eighth of room")
        for number in 100..<10_000 as Range<UInt64> { table[try Self.id(number)] = nil }
        #expect(table.capacity <= 1300)
        for number in 0..<100 as Range<UInt64> { #expect(table[try Self.id(number)] == Int(number)) }
    }

    @Test func `a value that is set again is replaced`() throws {
        var table = LoginDictionary<String>()
        let id = try Self.id(7)
        table[id] = "first"
        table[id] = "second"
        #expect(table[id] == "second" && table.count == 1 && table.all.map(\.value) == ["second"])
    }

    private static func id(_ number: UInt64) throws -> LoginID {
        try #require(LoginID(withUnsafeBytes(of: (UInt64(0), number)) { Array($0) }))
    }

    private static func expectSame(_ table: LoginDictionary<Int>, _ expected: [LoginID: Int]) {
        #expect(Dictionary(uniqueKeysWithValues: table.all.map { ($0.id, $0.value) }) == expected)
        for (id, value) in expected { #expect(table[id] == value && table.contains(id)) }
    }
}
