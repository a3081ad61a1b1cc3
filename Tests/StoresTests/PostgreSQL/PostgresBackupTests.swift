import Base
import Foundation
import Logins
import Sessions
import TestSupport
import Testing

@testable import Stores

/// Copies of the database while servers write, made and restored as docs/how-to/back-up.md says.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresBackupTests {
    @Test func `a copy under load is of one moment`() async throws {
        let stage = try PostgresStage(on: try PostgresServer.shared())
        let role = "serving_\(UInt32.random(in: 0 ... .max))"
        try stage.run("CREATE ROLE \(role) LOGIN PASSWORD 'of-the-server'")
        _ = try PostgresMigration.migrate(stage.settings, grantee: role)
        let stores = [try stage.store(), try stage.store()]
        #expect(try await stores[1].insert(try PostgresStoreTests.row(1)))
        let writers = SessionWriters(stores[0])
        async let writing: Void = writers.run()
        #expect(try await eventually { writers.books.count == 2 * SessionWriters.count })
        let before = writers.books
        let file = try stage.server.backUp(stage.database, ["--exclude-table-data=switchback.login*"])
        let check = CopyCheck(before: before, after: writers.books)
        let changes = writers.changes
        #expect(try await eventually { writers.changes > changes }, "the servers go on")
        writers.stop()
        try await writing
        for store in stores { await store.close() }

        let copy = try PostgresStage(on: stage.server)
        try stage.server.restore(file, into: copy.database)
        var settings = PostgresSettings(
            url: Secret(copy.server.url(copy.database, user: role, password: "of-the-server")))
        settings.migrate = .off
        let restored = try copy.store(settings)
        #expect(try await check.problems(in: restored) == [])
        #expect(try await restored.openCount() == 0, "no login is in it")
        #expect(try await restored.load(try PostgresStoreTests.row(1).id) == nil)
        try await restored.probe()
        #expect(try await restored.insert(try PostgresStoreTests.row(1)), "it is a store like any other")
        #expect(try await restored.insertSession(try SessionWriters.row(1_000, 1)))
        await restored.tidy(at: PostgresStage.now() + .seconds(7_200))
        #expect(copy.health.withLock { $0.compactMap(\.self) } == [], "it may do all of its work")
        await restored.close()
    }

    /// What was revoked after the copy is back: this is why the page says to set `sessions.valid_from`.
    @Test func `a restore undoes what came after`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        #expect(try await store.insertSession(try SessionWriters.row(1, 1)))
        let file = try stage.server.backUp(stage.database, [])
        #expect(try await store.removeSession(try SessionWriters.row(1, 1).id, revision: 1))
        await store.close()
        let copy = try PostgresStage(on: stage.server)
        try stage.server.restore(file, into: copy.database)
        let restored = try copy.store()
        #expect(try await restored.loadSession(try SessionWriters.row(1, 1).id) == SessionWriters.row(1, 1))
        await restored.close()
    }
}
