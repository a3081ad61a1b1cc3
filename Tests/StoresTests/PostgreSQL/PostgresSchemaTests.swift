import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// The schema: who may create it, which binaries it serves, what a server's role may do, and how partitions are created
/// and dropped.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresSchemaTests {
    /// Returns a database without a schema.
    private func empty() throws -> PostgresStage { try PostgresStage(on: try PostgresServer.shared()) }

    private func failure(_ stage: PostgresStage, _ settings: PostgresSettings) -> StoreOpeningError? {
        do throws(StoreOpeningError) { try PostgresMigration.prepare(settings.connector, settings.migrate) } catch {
            return error
        }
        return nil
    }

    @Test func `the schema is made once`() throws {
        let stage = try self.empty()
        let first = try PostgresMigration.migrate(stage.settings)
        #expect(first.before == 0 && first.after == PostgresSchema.version && first.partitions > 0)
        let second = try PostgresMigration.migrate(stage.settings)
        #expect(second == PostgresMigration.Report(before: first.after, after: first.after, partitions: 0))
    }

    @Test func `several servers at once make the schema once`() async throws {
        let stage = try self.empty()
        let made = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<4 { group.addTask { try PostgresMigration.migrate(stage.settings).before == 0 } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(made == 1)
    }

    /// The output of `--print` does the same, for an empty database and for one of the previous version.
    @Test(arguments: 0...3) func `the script makes the same schema`(_ version: Int) async throws {
        let stage = try self.empty()
        if version > 0 { try PostgresMigrationTests.makeSchema(version, in: stage) }
        try stage.run(PostgresMigration.script(grantee: "postgres", from: version))
        var settings = stage.settings
        settings.migrate = .off
        #expect(self.failure(stage, settings) == nil)
        let store = try stage.store(settings)
        #expect(try await store.insert(try PostgresStoreTests.row(1)))
        #expect(try await store.insertSession(try SessionStoreConformanceTests.row(1)))
        await store.close()
    }

    /// The version in the database, the oldest binary that it serves, and the error of a binary of this version.
    @Test(arguments: [
        (0, 0, nil as StoreOpeningError.Cause?, PostgresSettings.Migrate.auto),
        (0, 0, .noSchema, .off),
        (1, 1, .older(version: 1, needed: 4), .off), (1, 1, nil, .auto),
        (3, 2, .older(version: 3, needed: 4), .off), (3, 2, nil, .auto),
        (4, 3, nil, .off), (5, 4, nil, .off), (5, 4, nil, .auto),
        (6, 5, .newer(version: 6, supported: 4), .off), (6, 5, .newer(version: 6, supported: 4), .auto),
    ])
    func `the schema serves two versions`(
        _ version: Int, _ oldest: Int, _ expected: StoreOpeningError.Cause?, _ migrate: PostgresSettings.Migrate
    ) throws {
        let stage = try self.empty()
        if version > 0 { try PostgresMigrationTests.makeSchema(min(version, PostgresSchema.version), in: stage) }
        if version > PostgresSchema.version {
            try stage.run(
                "INSERT INTO switchback.schema_version (version, oldest_binary) VALUES (\(version), \(oldest))")
        }
        var settings = stage.settings
        settings.migrate = migrate
        #expect(self.failure(stage, settings)?.cause == expected)
    }

    /// A quote and an accent after it are one character.
    @Test func `each quote in the name of a role is doubled`() {
        let script = PostgresMigration.script(grantee: "a\"b\"\u{301}")
        #expect(script.unicodeScalars.contains("\"a\"\"b\"\"\u{301}\"".unicodeScalars))
    }

    /// The privileges of `--grant` suffice for everything that a server does, and do not allow any change of the
    /// schema.
    @Test func `a server needs few rights`() async throws {
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
        let session = try SessionStoreConformanceTests.row(1)
        #expect(try await store.insertSession(session))
        #expect(try await store.replaceSession(try SessionStoreConformanceTests.row(1, revision: 2), revision: 1))
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

    /// The name of the partition of an hour.
    private func partition(of hour: Int64) -> String { "switchback.login_\(hour - hour % 8 + 7)" }

    /// Due times of rows, and whether the partition of the current hour is then dropped.
    @Test func `partitions are made and dropped`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        let now = PostgresStage.now()
        let hour = now.milliseconds / 3_600_000
        let over = now + .seconds(86_400)
        let later = over + .seconds(10 * 3_600)
        #expect(try await store.insert(try PostgresStoreTests.row(1, due: now)))
        #expect(try await store.insert(try PostgresStoreTests.row(2, due: over, isOver: true)))
        func isThere() throws -> Bool { try stage.run("SELECT to_regclass('\(self.partition(of: hour))')") != nil }
        let table: [(at: Timestamp, isThere: Bool)] = [(now + .seconds(10 * 3_600), true), (later, true)]
        for (at, expected) in table {
            await store.tidy(at: at)
            #expect(try isThere() == expected, "\(at): row 1 is not over")
        }
        #expect(
            try await store.replace(try PostgresStoreTests.row(1, revision: 2, due: over, isOver: true), revision: 1))
        await store.tidy(at: over - .seconds(1))
        #expect(try isThere(), "row 2 is still known to be gone")
        await store.tidy(at: later)
        #expect(try !isThere())
        #expect(try await store.load(try PostgresStoreTests.row(1).id) == nil)
        let next = self.partition(of: later.milliseconds / 3_600_000 + 3)
        #expect(try stage.run("SELECT to_regclass('\(next)')") != nil, "made ahead of its time")
        // There is no partition for this hour, but the row is stored anyway.
        #expect(try await store.insert(try PostgresStoreTests.row(3)))
        #expect(try await store.load(try PostgresStoreTests.row(3).id) == PostgresStoreTests.row(3))
        #expect(try stage.run("SELECT count(*) FROM switchback.login_other") == "1")
        await store.close()
    }

    /// A partition leaves out hours that have a place already: partitions of one hour, as version 2 made them, and rows
    /// that were stored while there was no partition. Times are hours after the beginning of a day.
    @Test(arguments: [
        ("", 5, ["0-8", "8-16"]), ("", 4, ["0-8"]),
        ("hour 2, hour 3, hour 4", 1, ["5-8"]), ("hour 6, hour 7", 4, []),
        ("hour 6, hour 7, hour 8, hour 9", 6, ["10-16"]),
        ("row 6", 6, ["7-8", "8-16"]), ("row 7, row 0", 7, ["8-16"]),
        ("row 9", 6, ["0-8", "10-16"]),
    ])
    func `a partition begins where others end`(_ sql: String, _ hour: Int64, _ made: [String]) throws {
        let stage = try PostgresStage(on: try PostgresServer.shared())
        try stage.run(PostgresSchema.preparation + PostgresSchema.steps.joined())
        let midnight: Int64 = 24 * 20_000
        for words in sql.split(separator: ", ").map({ $0.split(separator: " ") }) {
            let hour = midnight + (Int64(words[1]) ?? 0)
            try stage.run(
                words[0] == "row"
                    ? "INSERT INTO switchback.login VALUES (\(hour), '\\x01', 1, 1, true, false, false, 1, '')"
                    : """
                    CREATE TABLE switchback.login_\(hour) PARTITION OF switchback.login
                    FOR VALUES FROM (\(hour)) TO (\(hour + 1))
                    """)
        }
        let before = sql.contains("hour") ? sql.split(separator: ", ").count : 0
        for _ in 0..<2 { try stage.run("SELECT switchback.keep_partitions(\((midnight + hour) * 3_600_000))") }
        let bounds = """
            SELECT string_agg(bounds[1]::bigint - \(midnight) || '-' || bounds[2]::bigint - \(midnight), ', ' ORDER BY number)
            FROM (
                SELECT c.oid AS number, regexp_match(pg_get_expr(c.relpartbound, c.oid), '(\\d+)\\D+(\\d+)') AS bounds
                FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
                WHERE i.inhparent = 'switchback.login'::regclass AND c.relname <> 'login_other'
                ORDER BY number OFFSET \(before)
            ) AS partitions
            """
        #expect(try stage.run(bounds) ?? "" == made.joined(separator: ", "))
    }

    /// A backup reads the tables for a while: no statement waits for it, and no partition is dropped meanwhile.
    @Test func `a backup holds nobody up`() async throws {
        let stage = try PostgresStage()
        let store = try stage.store()
        let over = PostgresStage.now() + .seconds(10)
        #expect(try await store.insert(try PostgresStoreTests.row(1, due: over, isOver: true)))
        let backup = try await stage.hold("LOCK switchback.login IN ACCESS SHARE MODE")
        await store.tidy(at: over + .seconds(10 * 3_600))
        #expect(try await store.load(try PostgresStoreTests.row(1).id) != nil)
        await backup.end()
        await store.tidy(at: over + .seconds(10 * 3_600 + 100))
        #expect(try await store.load(try PostgresStoreTests.row(1).id) == nil)
        await store.close()
    }
}
