/// A part of a long table for `make check`: every pair of values once, and rows chosen by a seed. `make soak` plays all
/// rows.
package enum TableSample {
    /// Returns rows that cover every pair of values that occur together in a row, and at least one of `share` of all
    /// rows. It prints their number. `values` describes a row in a few words.
    package static func rows<Row>(
        _ name: String, of rows: [Row], oneOf share: Int, seed: UInt64 = TestTier.seed, values: (Row) -> [String]
    ) -> [Row] {
        guard !TestTier.hasAllRows else { return rows }
        // The name is part of the seed, so tables of the same size play different rows.
        var dice = SplitMix64(seed: name.utf8.reduce(seed) { ($0 &* 31) &+ UInt64($1) })
        var seen: Set<[String]> = []
        var (chosen, others): ([Int], [Int]) = ([], [])
        for index in rows.indices.shuffled(using: &dice) {
            let pairs = Self.pairs(values(rows[index]))
            if seen.isSuperset(of: pairs) { others.append(index) } else { chosen.append(index) }
            seen.formUnion(pairs)
        }
        chosen += others.prefix(max(0, rows.count / share - chosen.count))
        Self.say(name, chosen.count, of: rows.count, seed: seed)
        return chosen.sorted().map { rows[$0] }
    }

    /// Returns the seeds for random runs: each run has its own seed, and only some are played.
    package static func seeds(_ name: String, _ count: UInt64, of all: UInt64) -> Range<UInt64> {
        guard !TestTier.hasAllRows else { return 0..<all }
        let first = TestTier.seed % (all - count + 1)
        Self.say(name, Int(count), of: Int(all), seed: TestTier.seed)
        return first..<first + count
    }

    private static func pairs(_ values: [String]) -> Set<[String]> {
        Set(values.indices.flatMap { first in values[first...].map { [values[first], $0] } })
    }

    private static func say(_ name: String, _ count: Int, of all: Int, seed: UInt64) {
        print("\(name): \(count) of \(all) rows; SWITCHBACK_TEST_SEED=\(seed) plays the same, make soak plays all")
    }
}
