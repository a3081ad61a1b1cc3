import Foundation
import Sandbox
import TestSupport
import Testing

/// Plays every module of the OpenID Foundation's plans for relying parties, and cases of our own, through the running
/// server: with the response in a query, in a form, and in a link that the app hands in. `MODULES.md` lists them all.
///
/// A refusal means what the suite checks, that we send the provider no more requests, and also what it does not check:
/// the app learns of it, the page says so in our own words, and no correct response revives the login later.
@Suite struct ConformanceTests {
    static let rows: [ConformanceRow] =
        ConformanceRow.basic + ConformanceRow.config + ConformanceRow.large + ConformanceRow.fapi
        + ConformanceRow.jarm + ConformanceRow.ours

    /// A soak plays each row in each delivery. Other runs play each row once, in another delivery than the row before,
    /// and the seed chooses the first.
    static let plays: [(ConformanceRow, Delivery)] = Self.rows.enumerated().flatMap { number, row in
        let all = Delivery.allCases
        let chosen = (number + Int(TestTier.seed % UInt64(all.count))) % all.count
        return (TestTier.hasAllRows ? all : [all[chosen]]).map { (row, $0) }
    }

    @Test(arguments: plays)
    func `each module ends as expected`(_ row: ConformanceRow, _ delivery: Delivery) async throws {
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

    /// Checks that these rows, `SystemFaultTests` or `playedElsewhere` have every fault. A fault can have several names:
    /// only its first one and those of the suite count.
    @Test func `every fault of the sandbox has a row`() {
        let played = Set(Self.rows.map(\.name) + Self.playedElsewhere).union(SystemFaultTests.names)
        let names = SandboxFault.all.flatMap { fault in
            fault.names.filter { $0 == fault.name || $0.hasPrefix("oidcc-") || $0.hasPrefix("fapi2-") }
        }
        #expect(names.filter { !played.contains($0) } == [])
    }

    /// The faults in `RefusalTests`, `SilentBrokerTests`, `DigiDLoginTests` and `ThirdPartyLoginTests`, which need more
    /// than a row can say.
    static let playedElsewhere =
        ["token-slow", "never-returns", "session-reused"] + DigiDLoginTests.rows.map(\.fault) + DigiDLoginTests.inits
        + ThirdPartyLoginTests.inits

    /// `MODULES.md` names the module of each row, and no module without a row as played.
    @Test func `the table names every module`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "MODULES.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let rows = Set(Self.rows.map(\.name))
        let played = text.matches(of: /\| `([a-z0-9_-]+)` \| played/).map { String($0.1) }
        #expect(played.filter { !rows.contains($0) } == [], "in the table, but not a row")
        let suite = rows.filter { $0.hasPrefix("oidcc-") || $0.hasPrefix("fapi2-") }
        #expect(suite.subtracting(played).sorted() == [], "a row, but not in the table")
    }

    /// What the menu says beside a fault is what a row expects.
    @Test(arguments: Self.rows) func `the menu of faults says the end`(_ row: ConformanceRow) throws {
        let end = try #require(row.fault).end
        switch row.expectation {
        case .accepts: #expect(end == "completed")
        case .refuses("user_cancelled", _, _): #expect(end == "cancelled")
        case .refuses(let reason, _, _), .cannotAsk(let reason): #expect(end == "failed: \(reason)")
        case .letsFall, .doesNotAsk: #expect(end.hasPrefix("pending"))
        }
    }
}
