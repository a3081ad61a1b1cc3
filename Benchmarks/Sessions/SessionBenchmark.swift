import Foundation
import Served
import BenchmarkSupport
import TestSupport

/// What renewals and unlocks of sessions cost: beside the bare operations in them, and with few and many sessions
/// stored.
@main enum SessionBenchmark {
    /// How many requests run at a time.
    static let width = 64
    static let rounds = Extent.of(7, short: 1)

    static func main() async { await Output.reportingErrors { try await self.run() } }

    private static func run() async throws {
        let arguments = BenchmarkArguments(of: "SessionBenchmark", sizes: [1_000, 1_000_000])
        var (served, stored) = (ServedCosts.head, StoredCosts.head)
        for store in arguments.stores {
            let stage = try await FlowStage(store)
            served += try await ServedCosts.measure(store, arguments.binary, beside: stage)
            stored += try await StoredCosts.measure(store, stage, arguments.sizes)
            await stage.close()
        }
        print((served + [""] + stored).joined(separator: "\n"))
    }
}
