import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// Makes every outage of docs/explanation/outages.md, and compares every cell of its line with a running server.
@Suite(.blocking) struct OutageTests {
    /// A run of all tests plays its sample of the rows on each store that they name. Other runs play them on one store.
    static let plays: [(OutageRow, OutageRow.Store)] = TestTier.few(
        OutageRow.all.filter { $0.name != OutageRow.fullDisk.name }, oneOf: 2
    )
    .enumerated().flatMap { number, row in
        let stores = row.stores.filter(Self.isWanted)
        guard !TestTier.isWhole, !stores.isEmpty else { return stores.map { (row, $0) } }
        return [(row, stores[number % stores.count])]
    }

    private static func isWanted(_ store: OutageRow.Store) -> Bool {
        store != .postgresql || (PostgresServer.isWanted && TestTier.isWhole)
    }

    @Test(arguments: plays)
    func `everybody is told what is true`(_ row: OutageRow, _ store: OutageRow.Store) async throws {
        let stage = try OutageStage(store, ownsDatabase: row.outage.takesDatabase)
        let scene = try await OutageScene(stage.url, operations: stage.operations)
        try await row.outage.begin(stage, scene)
        try await scene.expect(row)
        if let whole = row.outage.whole { #expect(try await scene.wholeLogin() == whole) }
        // This login fails during the outage, or not at all.
        if row.end.contains("failed") { #expect(try await scene.end() == row.end) }
        try await row.outage.end(stage)
        try await scene.expectNothingIsLost(row)
        let tokens = stage.sandbox.count(of: .token) - (row.outage.whole == nil ? 0 : 1)
        #expect(tokens <= 2, "no code is sent twice")
        await stage.stop()
    }

    /// The server has a disk of a megabyte to itself, and the test fills it.
    @Test(.enabled(if: SmallDisk.isPossible, "this system lets nobody mount a disk"))
    func `a full disk loses nothing`() async throws {
        let row = OutageRow.fullDisk
        let stage = try DurableStage()
        let disk = SmallDisk(at: "\(stage.folder)/data")
        let process = try await stage.serve(by: try disk.wrapper())
        let scene = try await OutageScene(stage.url, operations: stage.operations)
        try disk.fill(of: process)
        try await scene.expect(row)
        _ = try await stage.says(#","reason":"no space is left on the disk""#)
        try disk.empty(of: process)
        try await scene.expectNothingIsLost(row)
        _ = try await stage.says(#""event":"store_recovered""#)
        process.terminate()
        _ = process.end()
        await stage.stop()
    }

    /// The program exits with 1 and says why in one sentence, without internals.
    @Test(arguments: StartRow.all) func `a program that cannot start says why`(_ row: StartRow) async throws {
        let stage = try DurableStage(row.settings)
        let held = try row.prepare(stage.folder)
        let process = try stage.start()
        #expect(try await eventually { !process.isRunning })
        process.terminate()
        #expect(process.status() == 1)
        // The log is no terminal, so its lines are JSON.
        let lines = try stage.log.split(separator: "\n").map { try JSON(parsing: Array($0.utf8)) }
        let reasons = lines.filter { $0["event"]?.string == "start_failed" }.compactMap { $0["reason"]?.string }
        let said = reasons.map { "error: \($0)" }.joined(separator: "\n")
        #expect(said.replacing(stage.folder, with: "…") == row.says)
        withExtendedLifetime(held) {}
        await stage.stop()
    }

    // MARK: - The documentation

    @Test func `the page of outages has these tables`() throws {
        let text = try SourceFile.text("docs/explanation/outages.md")
        let lines = text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("| ") && $0.contains(": ") }
        #expect(lines == OutageRow.all.map(\.line) + StartRow.all.map(\.line))
    }
}
