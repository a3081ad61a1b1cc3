import EndToEndSupport
import Foundation
import GRDB
import TestSupport
import Testing

/// An attacker who can write every byte of the store gets no result: the server refuses a changed row, and logs that.
@Suite struct StoreWriterTests {
    @Test func `a writer of the store gets no result`() async throws {
        let stage = try await SealedStage()
        let (mine, own, theirs) = (
            PhoneApp(stage.durable.url), PhoneApp(stage.durable.url), PhoneApp(stage.durable.url)
        )
        var browser = try await stage.logIn(theirs)
        let theirLink = try #require(browser.button)
        let identity = try #require(try await theirs.reportReturn(["url": .string(theirLink)]).json?["identity"])
        let (ownPage, ownOpened) = try await Self.logIn(own, stage)
        let link = try #require(ownPage.button)
        let code = try #require(ownPage.code)
        let opened: StoredRow
        (browser, opened) = try await Self.logIn(mine, stage)
        let untried = try Self.row(mine, stage)
        let right = try #require(browser.code)
        let wrong = right == "000000" ? "000001" : "000000"
        for _ in 0..<3 { _ = try await mine.reportReturn(["code": .string(wrong)]) }
        let rows = StoreAttack.Rows(
            mine: try Self.row(mine, stage), own: try Self.row(own, stage), ownOpened: ownOpened,
            theirs: try Self.row(theirs, stage), opened: opened, untried: untried)
        #expect(try ownOpened.attemptCount == 1)

        let id = try #require(mine.id)
        let forged = link.replacing(try #require(own.id), with: id)

        for attack in StoreAttack.all {
            var changed = rows
            try attack.change(&changed)
            #expect(changed.mine != rows.mine || changed.theirs != rows.theirs, "\(attack.name)")
            let before = stage.durable.log.count
            try await Self.write([changed.mine, changed.theirs], stage)
            let answers = [
                try await mine.poll(), try await mine.reportReturn(["url": .string(link)]),
                try await mine.reportReturn(["url": .string(forged)]),
                try await mine.reportReturn(["code": .string(code)]),
                try await mine.create("demo"), try await mine.poll(),
            ]
            for answer in answers {
                #expect(answer.json?["identity"] == nil && answer.json?["assertion"] == nil, "\(attack.name)")
                #expect(answer.status < 500, "\(attack.name): \(answer.text)")
            }
            #expect(answers[0].status == attack.status, "\(attack.name): \(answers[0].text)")
            // The login's secret works no longer, and the app learns that.
            if attack.status == 404, !attack.isSwept { #expect(answers[4].status == 410, "\(attack.name)") }
            if attack.status == 404 {
                #expect(try await eventually { Self.isRefused(id, in: stage.durable.log.dropFirst(before)) })
            } else {
                #expect(!Self.isRefused(id, in: stage.durable.log.dropFirst(before)), "\(attack.name)")
            }
            if attack.isSwept { try await Self.waitForTheSweep(mine, stage) }
            try await Self.write([rows.mine, rows.theirs], stage)
        }

        // Afterwards everything is unchanged for the other logins.
        #expect(try await mine.reportReturn(["code": .string(right)]).status == 422, "the code attempts are used up")
        #expect(try await mine.poll(wait: 1).json?["status"]?.string == "awaiting_return")
        #expect(try await own.reportReturn(["url": .string(link)]).json?["status"]?.string == "completed")
        #expect(try await theirs.poll().json?["identity"] == identity)
        await stage.stop()
    }

    /// Logs in, and returns the row as it was before the browser opened the login.
    private static func logIn(_ app: PhoneApp, _ stage: SealedStage) async throws -> (ScriptedBrowser, StoredRow) {
        let url = try #require(try await app.create("demo").nextURL)
        var browser = try await ScriptedBrowser(opening: url, links: [SealedStage.prefix])
        let opened = try Self.row(app, stage)
        try await stage.approve(&browser, app)
        return (browser, opened)
    }

    private static func waitForTheSweep(_ app: PhoneApp, _ stage: SealedStage) async throws {
        let isSwept = try await eventually {
            // The row is gone, or the app has created a new one since.
            guard let row = try? Self.row(app, stage) else { return true }
            return row.due != 0
        }
        #expect(isSwept, "a row that fails its MAC stays forever")
    }

    private static func row(_ app: PhoneApp, _ stage: SealedStage) throws -> StoredRow {
        let database = try stage.writer()
        defer { try? database.close() }
        let id = LoginName.bytes(app) ?? Data()
        guard let row = try database.read({ try StoredRow(id, in: $0) }) else {
            throw TestClient.Failure(description: "no row")
        }
        return row
    }

    /// Writes both rows in one transaction, because one may take the id of the other. Restarts the server, which would
    /// have the old ones in memory.
    private static func write(_ rows: [StoredRow], _ stage: SealedStage) async throws {
        stage.kill()
        try Self.write(rows, with: try stage.writer())
        try await stage.start()
    }

    private static func write(_ rows: [StoredRow], with database: DatabaseQueue) throws {
        defer { try? database.close() }
        try database.write { database in
            for row in rows { try database.execute(sql: "DELETE FROM login WHERE id = ?", arguments: [row.id]) }
            for row in rows { try row.write(to: database) }
        }
    }

    /// Whether a line says that the row of the login was refused.
    private static func isRefused(_ login: String, in log: Substring) -> Bool {
        log.split(separator: "\n").contains {
            $0.contains(#""event":"login_row_refused""#) && $0.contains(#""login":"\#(login)""#)
        }
    }
}
