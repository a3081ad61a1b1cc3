/// The schema of the previous version with its data, and servers of both versions side by side.
import Base
import Cryptography
import Logins
import Sessions
import TestSupport
import Testing

@testable import Stores

@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresMigrationTests {
    /// Makes the schema as a server of that version did.
    static func makeSchema(_ version: Int, in stage: PostgresStage) throws {
        let steps = PostgresSchema.steps.prefix(version).enumerated().map { $1 + PostgresSchema.record($0 + 1) }
        try stage.run("BEGIN; \(PostgresSchema.preparation) \(steps.joined()) COMMIT")
        try stage.run("SELECT switchback.keep_partitions((extract(epoch FROM now()) * 1000)::bigint)")
    }

    private func stage(version: Int) throws -> PostgresStage {
        let stage = try PostgresStage(on: try PostgresServer.shared())
        try Self.makeSchema(version, in: stage)
        return stage
    }

    /// Databases have these steps, so no change of one would reach them. Comments may change.
    @Test(arguments: [(1, "b7161406b97d592c0f65d2fc746137e51397eced7520d15dad0f5843570bc3a1")])
    func aStepNeverChanges(_ version: Int, _ hash: String) {
        let lines = PostgresSchema.steps[version - 1].split(separator: "\n").filter { line in
            let text = line.drop { $0 == " " }
            return !text.isEmpty && !text.hasPrefix("--")
        }
        #expect(Digest.sha256.hash(Array(lines.joined(separator: "\n").utf8)) == [UInt8](hex: hash))
    }

    @Test func aSchemaWithLoginsIsUpgraded() async throws {
        let stage = try self.stage(version: 1)
        let row = try PostgresStoreTests.row(1)
        try stage.run(
            "SELECT switchback.insert_login('\\x01000000010000000100000001000000', 1, 5060000, true, false, '\\x01')")
        let report = try PostgresMigration.migrate(stage.settings)
        #expect(report.before == 1 && report.after == PostgresSchema.version)
        let store = try stage.store()
        #expect(try await store.load(row.id) == row)
        #expect(try await store.openCount() == 1)
        #expect(try await store.insertSession(try SessionStoreConformance.row(1)))
        await store.close()
        #expect(try PostgresMigration.migrate(stage.settings).before == PostgresSchema.version)
    }

    /// The upgrade takes no lock for which a server of the previous version waits, nor waits for one of its statements.
    @Test func anUpgradeHoldsNobodyUp() async throws {
        let stage = try self.stage(version: 1)
        let busy = try await stage.hold(
            "INSERT INTO switchback.login VALUES (1, '\\x01', 1, 1, true, false, false, 1, '')")
        #expect(try PostgresMigration.migrate(stage.settings).before == 1)
        await busy.end()
        let held = try self.stage(version: 1)
        let upgrade = try await held.hold(PostgresSchema.steps[1] + PostgresSchema.record(2))
        try held.run("SET lock_timeout = '1s'; SELECT switchback.probe()")
        await upgrade.end()
        #expect(try held.run("SELECT max(version) FROM switchback.schema_version") == "1", "done or not")
    }

    /// Every statement of version 1, as its servers send them, on this schema. Never change these.
    @Test func theStatementsOfTheVersionBeforeWork() throws {
        let stage = try PostgresStage()
        let handle = try stage.settings.connector.open()
        let id = PostgresParameter.bytes(Array(repeating: 9, count: 16))
        let columns = "hour, id, revision, due, is_open, is_over, bytes"
        let hours: [PostgresParameter] = [.integer(.min), .integer(.max)]
        // The statement, its parameters, the number of rows that it returns, and the first value.
        let table: [(String, [PostgresParameter], Int, [UInt8]?)] = [
            (
                "SELECT switchback.insert_login($1, $2, $3, $4, $5, $6)",
                [id, .integer(1), .integer(60), .boolean(true), .boolean(false), .bytes([1])], 1, [1]
            ),
            (
                "SELECT switchback.insert_login($1, $2, $3, $4, $5, $6)",
                [id, .integer(1), .integer(60), .boolean(true), .boolean(false), .bytes([2])], 1, [0]
            ),
            ("SELECT \(columns) FROM switchback.load_login($1)", [id], 1, nil),
            (
                """
                UPDATE switchback.login
                SET revision = $3, due = $4, was_open = is_open, is_open = $5, is_over = $6, bytes = $7
                WHERE id = $1 AND revision = $2 AND hour BETWEEN $8 AND $9
                RETURNING was_open, awaited IS NOT DISTINCT FROM $2
                """,
                [id, .integer(1), .integer(2), .integer(70), .boolean(false), .boolean(false), .bytes([3])] + hours,
                1, [1]
            ),
            (
                "SELECT \(columns) FROM switchback.login WHERE due <= $1 AND NOT is_over ORDER BY due LIMIT $2",
                [.integer(100), .integer(9)], 1, nil
            ),
            ("SELECT count(*) FROM switchback.login WHERE is_open", [], 1, Array(repeating: 0, count: 8)),
            (
                """
                DELETE FROM switchback.login WHERE id = $1 AND revision = $2 AND hour BETWEEN $3 AND $4
                RETURNING is_open, awaited IS NOT DISTINCT FROM $2
                """, [id, .integer(2)] + hours, 1, [0]
            ),
            ("SELECT switchback.probe()", [], 1, nil),
            ("SELECT made, dropped FROM switchback.keep_partitions($1)", [.integer(0)], 1, nil),
            (
                "SELECT version, oldest_binary FROM switchback.schema_version ORDER BY version DESC LIMIT 1", [], 1,
                [0, 0, 0, 2]
            ),
        ]
        for (sql, parameters, count, first) in table {
            let answer = try handle.ask(PostgresStatement(sql, parameters))
            #expect(answer.count == count, "\(sql)")
            if let first { #expect(try answer.bytes(0, 0) == first, "\(sql)") }
        }
        // What version 1 asked at its start: it may serve if this is not greater than 1.
        #expect(
            try stage.run("SELECT oldest_binary FROM switchback.schema_version ORDER BY version DESC LIMIT 1") == "1")
    }

    /// The privileges that version 1 granted suffice for its servers, and those of this version say what they lack.
    @Test func theRightsOfTheVersionBeforeSufficeForIt() async throws {
        let stage = try self.stage(version: 1)
        let role = "serving_\(UInt32.random(in: 0 ... .max))"
        try stage.run(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'of-the-server';
            GRANT USAGE ON SCHEMA switchback TO \(role);
            GRANT SELECT ON switchback.schema_version TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON switchback.login TO \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA switchback TO \(role);
            """)
        _ = try PostgresMigration.migrate(stage.settings)
        try stage.server.run("SELECT switchback.probe()", in: stage.database, user: role)
        var settings = PostgresSettings(
            url: Secret(stage.server.url(stage.database, user: role, password: "of-the-server")))
        settings.migrate = .off
        let store = try stage.store(settings)
        #expect(try await store.insert(try PostgresStoreTests.row(1)), "logins need nothing new")
        await #expect(throws: StoreError.unavailable) { try await store.probe() }
        #expect(stage.health.withLock { $0.last.map { "\($0!)" } }?.contains("lacks a privilege") == true)
        _ = try PostgresMigration.migrate(stage.settings, grantee: role)
        try await store.probe()
        await store.close()
    }
}
