import Foundation

/// How much is tested: `swift test` takes six minutes, `make check` plays every part once, and `make soak` takes
/// long.
package enum TestTier {
    /// Set by `make check`: a missing tool is then a failure.
    package static let isWhole = Self.variable("SWITCHBACK_TEST_ALL") == "1"

    /// Set by one part of `make soak`: no table is sampled.
    package static let hasAllRows = Self.isSoak || Self.variable("SWITCHBACK_TEST_ROWS") == "all"

    /// The seed of samples, so that a run can be repeated. It is random by default, and printed when it is first used.
    package static let seed: UInt64 = {
        let seed = Self.variable("SWITCHBACK_TEST_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
        print("SWITCHBACK_TEST_SEED=\(seed) plays the rows of this run again; make soak plays all rows")
        return seed
    }()

    /// Returns one in `count` rows, chosen by the seed, for tables with slow and similar rows. `make soak` plays all.
    package static func few<Row>(_ rows: [Row], oneOf count: Int) -> [Row] {
        guard !self.hasAllRows else { return rows }
        let first = Int(self.seed % UInt64(count))
        return rows.enumerated().filter { $0.offset % count == first }.map(\.element)
    }

    /// Set by `make soak`: kills, failover and thousands of logins, with a line of progress now and then.
    package static let isSoak = Self.variable("SWITCHBACK_SOAK") == "1"

    /// The seed of a random soak, so that it can be repeated. It is random by default.
    package static let soakSeed =
        Self.variable("SWITCHBACK_SOAK_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max)

    /// The share of the usual number of kills, restarts and logins, in percent, for a short soak.
    private static let soakPercent = Self.variable("SWITCHBACK_SOAK_PERCENT").flatMap { Int($0) } ?? 100

    package static func soakCount(_ usual: Int, atLeast least: Int = 1) -> Int {
        max(least, usual * Self.soakPercent / 100)
    }

    /// Returns the same share of the rows, spread over the whole table.
    package static func soakRows<Row>(_ rows: [Row]) -> [Row] {
        rows.enumerated().filter { number, _ in
            number * Self.soakPercent / 100 < (number + 1) * Self.soakPercent / 100
        }.map(\.element)
    }

    /// The server to soak. Without it, the tests use the one built with them.
    package static let soakProgram = Self.variable("SWITCHBACK_SOAK_PROGRAM")

    /// Variables that are no settings. A server warns about unknown ones, so programs are started without these.
    package static let switches = [
        "SWITCHBACK_TEST_ALL", "SWITCHBACK_TEST_ROWS", "SWITCHBACK_TEST_SEED", "SWITCHBACK_SOAK",
        "SWITCHBACK_SOAK_SEED", "SWITCHBACK_SOAK_PERCENT",
        "SWITCHBACK_SOAK_PROGRAM", "SWITCHBACK_WRITE_DOCS", "SWITCHBACK_WRITE_PAGES", "SWITCHBACK_WRITE_RECORDINGS",
        "SWITCHBACK_WRITE_SEEDS",
        "SWITCHBACK_ATTESTATION_VECTORS", "SWITCHBACK_EVENTS", "SWITCHBACK_TESTS",
    ]

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
