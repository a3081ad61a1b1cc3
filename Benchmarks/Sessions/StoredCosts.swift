import Foundation
import Served
import BenchmarkSupport

/// Renewals and unlocks without HTTP, with few and with many other sessions stored.
enum StoredCosts {
    static let head = [
        "| store | stored | | /s | CPU µs | vs. fewest |",
        "|---|--:|---|--:|--:|--:|",
    ]

    private static let renewalsPerPhone = 4

    private struct Row {
        var rate = Samples()
        var cost = Samples()
    }

    static func measure(_ store: ServedStore, _ stage: FlowStage, _ sizes: [Int]) async throws -> [String] {
        var lines: [String] = []
        var first: (renewal: Double, unlock: Double)?
        for size in sizes {
            let started = CPUTime.wallSeconds
            try await stage.fill(to: size)
            let seconds = Int(CPUTime.wallSeconds - started)
            Output.note("\(store.rawValue): \(size) sessions stored after \(seconds) s")
            let (renewals, unlocks) = try await self.rounds(stage)
            first = first ?? (renewals.cost.median, unlocks.cost.median)
            let fewest = first ?? (.nan, .nan)
            lines.append(self.line(store, size, "renewal", renewals, fewest.renewal))
            lines.append(self.line(store, size, "unlock", unlocks, fewest.unlock))
        }
        return lines
    }

    private static func rounds(_ stage: FlowStage) async throws -> (renewals: Row, unlocks: Row) {
        var (renewals, unlocks) = (Row(), Row())
        for round in 0...SessionBenchmark.rounds {
            let unlock = try await self.run(stage, try stage.unlocks())
            var requests: [FlowStage.Request] = []
            for _ in 0..<self.renewalsPerPhone { requests += try stage.renewals() }
            let renewal = try await self.run(stage, requests)
            // The first round warms up, and notes in each row that the session is used.
            guard round > 0 || Extent.isShort else { continue }
            unlocks.rate.add(unlock.rate)
            unlocks.cost.add(unlock.cost)
            renewals.rate.add(renewal.rate)
            renewals.cost.add(renewal.cost)
        }
        return (renewals, unlocks)
    }

    private static func run(
        _ stage: FlowStage, _ requests: [FlowStage.Request]
    ) async throws -> (rate: Double, cost: Double) {
        let (cpu, wall) = (CPUTime.seconds, CPUTime.wallSeconds)
        try await Load.run(requests.count, atOnce: SessionBenchmark.width) { try await stage.send(requests[$0]) }
        let count = Double(requests.count)
        return (count / (CPUTime.wallSeconds - wall), (CPUTime.seconds - cpu) * 1e6 / count)
    }

    private static func line(
        _ store: ServedStore, _ size: Int, _ name: String, _ row: Row, _ fewest: Double
    ) -> String {
        let cells = [
            Samples.text(row.rate.median, 0), Samples.text(row.cost.median),
            Samples.text(row.cost.median / fewest, 2),
        ]
        return "| \(store.rawValue) | \(size) | \(name) | \(cells.joined(separator: " | ")) |"
    }
}
