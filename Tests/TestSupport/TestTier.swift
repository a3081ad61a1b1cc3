/// How much is tested: `swift test` is done in a minute or two, `make test` plays every part once, `make soak` takes its time.
import Foundation

package enum TestTier {
    /// Set by `make test`. A tool that is missing is a failure then.
    package static let isWhole = Self.variable("SWITCHBACK_TEST_ALL") == "1"

    /// Set by a part of `make soak`: no table is sampled.
    package static let hasAllRows = Self.isSoak || Self.variable("SWITCHBACK_TEST_ROWS") == "all"

    /// The seed of samples, so that a run can be repeated. It is random when nothing is set.
    package static let seed = Self.variable("SWITCHBACK_TEST_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max)

    /// All rows of a table with `make test`, and one of `count` without it, where rows take long and are much alike.
    package static func few<Row>(_ rows: [Row], oneOf count: Int) -> [Row] {
        self.isWhole ? rows : rows.enumerated().filter { $0.offset % count == 0 }.map(\.element)
    }

    /// Set by `make soak`: kills, fail-over and thousands of logins, with a line now and then that says how far it is.
    package static let isSoak = Self.variable("SWITCHBACK_SOAK") == "1"

    /// What a random run began with, so that it can be run again; by chance where nothing is set.
    package static let soakSeed =
        Self.variable("SWITCHBACK_SOAK_SEED").flatMap { UInt64($0) } ?? .random(in: 0 ... .max)

    /// How much of the usual number of kills, restarts and logins, in percent, for a soak in its short form.
    private static let soakPercent = Self.variable("SWITCHBACK_SOAK_PERCENT").flatMap { Int($0) } ?? 100

    package static func soakCount(_ usual: Int, atLeast least: Int = 1) -> Int {
        max(least, usual * Self.soakPercent / 100)
    }

    /// As large a part of the rows, from all over the table.
    package static func soakRows<Row>(_ rows: [Row]) -> [Row] {
        rows.enumerated().filter { number, _ in
            number * Self.soakPercent / 100 < (number + 1) * Self.soakPercent / 100
        }.map(\.element)
    }

    /// The server to soak; without it the one that was built with the tests.
    package static let soakProgram = Self.variable("SWITCHBACK_SOAK_PROGRAM")

    /// No settings of a server, which warns of the ones that it does not know.
    package static let switches = [
        "SWITCHBACK_TEST_ALL", "SWITCHBACK_TEST_ROWS", "SWITCHBACK_TEST_SEED", "SWITCHBACK_SOAK",
        "SWITCHBACK_SOAK_SEED", "SWITCHBACK_SOAK_PERCENT",
        "SWITCHBACK_SOAK_PROGRAM", "SWITCHBACK_WRITE_DOCS",
    ]

    private static func variable(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }
}
