import TestSupport
import Testing

/// A sample of a table misses no pair of values, and its seed repeats it.
@Suite struct TableSampleTests {
    private static let table: [[String]] = ["a", "b", "c"].flatMap { first in
        (0..<8).flatMap { second in (0..<8).map { [first, "2 \(second)", "3 \($0)"] } }
    }

    private static func pairs(_ rows: [[String]]) -> Set<Set<String>> {
        Set(rows.flatMap { row in row.flatMap { one in row.map { [one, $0] } } })
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func `every pair of values is in the sample`(_ seed: UInt64) {
        let sample = TableSample.rows("pairs", of: Self.table, oneOf: 1000, seed: seed) { $0 }
        #expect(Self.pairs(sample) == Self.pairs(Self.table))
        #expect(sample.count >= 64 && sample.count < Self.table.count || TestTier.hasAllRows)
        #expect(sample == TableSample.rows("pairs", of: Self.table, oneOf: 1000, seed: seed) { $0 })
    }

    @Test func `a sample is filled up to its share`() {
        let sample = TableSample.rows("share", of: Self.table, oneOf: 2, seed: 7) { _ in [] }
        #expect(sample.count == (TestTier.hasAllRows ? 192 : 96))
    }
}
