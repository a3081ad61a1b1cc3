/// The schema: who may create it, which binaries it serves, what a server's role may do, and how partitions are created
/// and dropped.
import Base
import Logins
import TestSupport
import Testing

@testable import Stores

@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresSchemaTests {
    /// Returns a database without a schema.
    private func empty() throws -> PostgresStage { try PostgresStage(on: try PostgresServer.shared()) }

    private func failure(_ stage: PostgresStage, _ settings: PostgresSettings) -> PostgresOpeningError? {
        do throws(PostgresOpeningError) { try PostgresMigration.prepare(settings.connector, settings.migrate) } catch {
            return error
        }
        return nil
    }

    @Test func itIsMadeOnce() throws {
        let stage = try self.empty()
        let first = try PostgresMigration.migrate(stage.settings)
        #expect(first.before == 0 && first.after == PostgresSchema.version && first.partitions > 0)
        let second = try PostgresMigration.migrate(stage.settings)
        #expect(second == PostgresMigration.Report(before: first.after, after: first.after, partitions: 0))
    }

    @Test func severalAtOnceMakeItOnce() async throws {
        let stage = try self.empty()
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { try PostgresMigration.migrate(stage.settings).before == 0 } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
    }

    /// The output of `--print` does the same, for an empty database and for one of the previous version.
    @Test(arguments: [0, 1]) func theScriptMakesTheSame(_ version: Int) async throws {
        let stage = try self.empty()
        if version > 0 { try PostgresMigrationTests.makeSchema(version, in: stage) }
        try stage.run(PostgresMigration.script(grantee: "postgres", from: version))
        var settings = stage.settings
        settings.migrate = .off
        #expect(self.failure(stage, settings) == nil)
        let store = try stage.store(settings)
        #expect(try await store.insert(try PostgresStoreTests.row(1)))
        #expect(try await store.insertSession(try SessionStoreConformance.row(1)))
        await store.close()
    }

    /// The version in the database, the oldest binary that it serves, and the error of a binary of this version.
    @Test(arguments: [
        (0, 0, nil as PostgresOpeningError?, PostgresSettings.Migrate.auto),
        (0, 0, .noSchema, .off),
        (1, 1, .older(found: 1, wanted: 2), .off), (1, 1, nil, .auto),
        (2, 1, nil, .off), (3, 2, nil, .off), (3, 2, nil, .auto),
        (4, 3, .newer(found: 4, known: 2), .off), (4, 3, .newer(found: 4, known: 2), .auto),
    ])
    func itServesTwoVersions(
        _ version: Int, _ oldest: Int, _ expected: PostgresOpeningError?, _ migrate: PostgresSettings.Migrate
    ) throws {
        let stage = try self.empty()
        if version > 0 { try PostgresMigrationTests.makeSchema(min(version, PostgresSchema.version), in: stage) }
        if version > PostgresSchema.version {
            try stage.run(
                "INSERT INTO switchback.schema_version (version, oldest_binary) VALUES (\(version), \(oldest))")
        }
        var settings = stage.settings
        settings.migrate = migrate
        #expect(self.failure(stage, settings) == expected)
    }

    /// The privileges of `--grant` suffice for everything that a server does, and do not allow any change of the
    /// schema.
    @Test func aServerNeedsFewRights() async throws {
        let stage = try self.empty()
        let role = "serving_\(UInt32.random(in: 0 ... .max))"
        try stage.run("CREATE ROLE \(role) LOGIN PASSWORD 'of-the-server'")
        var settings = PostgresSettings(
            url: Secret(stage.server.url(stage.database, user: role, password: "of-the-server")))
        // It may not create the schema, and the error says so.
        let failure = try #require(self.failure(stage, settings))
        #expect("\(failure)".contains("permission denied") && !"\(failure)".contains("of-the-server"))
        _ = try PostgresMigration.migrate(stage.settings, grantee: role)
        settings.migrate = .off
        let store = try stage.store(settings)
        let row = try PostgresStoreTests.row(1)
        try await store.probe()
        #expect(try await store.insert(row))
        #expect(try await store.replace(try PostgresStoreTests.row(1, revision: 2), revision: 1))
        #expect(try await store.loadDue(at: Timestamp(seconds: 9_000), limit: 1).count == 1)
        #expect(try await store.openCount() == 1)
        let session = try SessionStoreConformance.row(1)
        #expect(try await store.insertSession(session))
        #expect(try await store.replaceSession(try SessionStoreConformance.row(1, revision: 2), revision: 1))
        #expect(try await store.loadSessions(ofPersons: [session.person], after: nil, limit: 1).count == 1)
        #expect(try await store.loadSessions(sealedBy: session.keyID, limit: 1).count == 1)
        #expect(try await store.loadDueSessions(at: Timestamp(seconds: 9_000), limit: 1).count == 1)
        #expect(try await store.sessionCounts().map(\.count) == [1])
        #expect(try await store.removeSession(session.id, revision: 2))
        await store.tidy(at: PostgresStage.now() + .seconds(7200))
        #expect(stage.health.withLock { $0.compactMap(\.self) } == [])
        #expect(try await store.remove(row.id, revision: 2))
        await store.close()
        for statement in [
            "DROP TABLE switchback.login", "ALTER TABLE switchback.login ADD x int",
            "DROP TABLE switchback.session", "ALTER TABLE switchback.session ADD x int",
            "CREATE TABLE switchback.x (x int)",
            "TRUNCATE switchback.login", "TRUNCATE switchback.session",
            "UPDATE switchback.schema_version SET version = 9",
        ] {
            #expect(throws: MissingTool.self) {
                try stage.server.run(statement, in: stage.database, user: role)
            }
        }
    }

    /// Due times of rows, and whether the partition of the current hour is then dropped.
    @Test func partitionsComeAndGo() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        let now = PostgresStage.now()
        let hour = now.milliseconds / 3_600_000
        let over = now + .seconds(86_400)
        #expect(try await store.insert(try PostgresStoreTests.row(1, due: now)))
        #expect(try await store.insert(try PostgresStoreTests.row(2, due: over, isOver: true)))
        func isThere() throws -> Bool { try stage.run("SELECT to_regclass('switchback.login_\(hour)')") != nil }
        let table: [(at: Timestamp, isThere: Bool)] = [
            (now + .seconds(7_200), true), (over + .seconds(7_200), true),
        ]
        for (at, expected) in table {
            await store.tidy(at: at)
            #expect(try isThere() == expected, "\(at): row 1 is not over")
        }
        #expect(
            try await store.replace(try PostgresStoreTests.row(1, revision: 2, due: over, isOver: true), revision: 1))
        await store.tidy(at: over - .seconds(1))
        #expect(try isThere(), "row 2 is still known to be gone")
        await store.tidy(at: over + .seconds(7_200))
        #expect(try !isThere())
        #expect(try await store.load(try PostgresStoreTests.row(1).id) == nil)
        let next = (over + .seconds(7_200)).milliseconds / 3_600_000
        #expect(try stage.run("SELECT to_regclass('switchback.login_\(next + 1)')") != nil, "made ahead of its time")
        // There is no partition for this hour, but the row is stored anyway.
        #expect(try await store.insert(try PostgresStoreTests.row(3)))
        #expect(try await store.load(try PostgresStoreTests.row(3).id) == PostgresStoreTests.row(3))
        #expect(try stage.run("SELECT count(*) FROM switchback.login_other") == "1")
        await store.close()
    }

    /// A backup reads the tables for a while: no statement waits for it, and no partition is dropped meanwhile.
    @Test func aBackupHoldsNobodyUp() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        let over = PostgresStage.now() + .seconds(10)
        #expect(try await store.insert(try PostgresStoreTests.row(1, due: over, isOver: true)))
        let backup = try await stage.hold("LOCK switchback.login IN ACCESS SHARE MODE")
        await store.tidy(at: over + .seconds(7_200))
        #expect(try await store.load(try PostgresStoreTests.row(1).id) != nil)
        await backup.end()
        await store.tidy(at: over + .seconds(7_300))
        #expect(try await store.load(try PostgresStoreTests.row(1).id) == nil)
        await store.close()
    }
}
