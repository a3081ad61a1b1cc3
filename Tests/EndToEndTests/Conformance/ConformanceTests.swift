/// Every module of the OpenID Foundation's plans for relying parties, and what no module asks, played through the running
/// server: the answer in a query, in a form, and in a link that the app hands in. `MODULES.md` lists them all.
///
/// A refusal means what the suite means by it, that the provider is not asked for more, and what it does not look at: the
/// app learns it, the page says so in our own words, and no right answer that comes later revives the login.
import Foundation
import Sandbox
import TestSupport
import Testing

@Suite struct ConformanceTests {
    static let rows: [ConformanceRow] =
        ConformanceRow.basic + ConformanceRow.config + ConformanceRow.large + ConformanceRow.fapi
        + ConformanceRow.jarm + ConformanceRow.ours

    /// In each delivery with all tests; else every second row, each in another delivery than the one before.
    static let plays: [(ConformanceRow, Delivery)] = TestTier.few(Self.rows, oneOf: 2).enumerated().flatMap {
        number, row in
        let all = Delivery.allCases
        return TestTier.isWhole ? all.map { (row, $0) } : [(row, all[number % all.count])]
    }

    @Test(arguments: plays) func aModule(_ row: ConformanceRow, _ delivery: Delivery) async throws {
        let fault = try #require(row.fault, "the sandbox has no such fault")
        let variant = row.variant(delivery)
        let stage = try await ConformanceStage(variant, row)
        switch row.expectation {
        case .accepts: try await stage.accepts(row.name, standing: fault.standsBeforeLogins)
        case .refuses(let reason, let tokens, let userinfo):
            try await stage.refuses(
                row.name, standing: fault.standsBeforeLogins, reason, tokens: tokens, userinfo: userinfo)
        case .letsFall: try await stage.letsFall(row.name)
        case .doesNotAsk: try await stage.doesNotAsk(row.name)
        case .cannotAsk(let reason): try await stage.cannotAsk(row.name, reason)
        }
        await stage.server.stop()
    }

    /// Here, or in `SystemFaults`. A fault has other names where several modules want it, and those of people.
    @Test func everyFaultOfTheSandboxIsARow() {
        let played = Set(Self.rows.map(\.name) + Self.playedElsewhere).union(SystemFaults.names)
        let names = SandboxFault.all.flatMap { fault in
            fault.names.filter { $0 == fault.name || $0.hasPrefix("oidcc-") || $0.hasPrefix("fapi2-") }
        }
        #expect(names.filter { !played.contains($0) } == [])
    }

    /// In `Refusals`, `SilentBrokers` and `DigiDLogins`, which need more than a row says.
    static let playedElsewhere =
        ["token-slow", "never-returns", "session-reused"] + DigiDLogins.rows.map(\.fault) + DigiDLogins.inits

    /// The table that people read names every module with its row, and no row that is not there.
    @Test func theTableNamesEveryModule() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "MODULES.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rows = Set(Self.rows.map(\.name))
        let played = text.matches(of: /\| `([a-z0-9_-]+)` \| played/).map { String($0.1) }
        #expect(played.filter { !rows.contains($0) } == [], "in the table, and no row")
        let suite = rows.filter { $0.hasPrefix("oidcc-") || $0.hasPrefix("fapi2-") }
        #expect(suite.subtracting(played).sorted() == [], "a row, and not in the table")
    }
}
