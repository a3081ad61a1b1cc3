import Base
import Cryptography
import Logins
import Sessions
import TestSupport
import Testing

@testable import Stores

/// The schema of the previous version with its data, and servers of both versions side by side.
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
    @Test(arguments: [
        (1, "b7161406b97d592c0f65d2fc746137e51397eced7520d15dad0f5843570bc3a1"),
        (2, "9f3e9dd9f7caa41a824bfdb33613f526b7795238f33eb9f9016f028bcd177def"),
        (3, "0e66fadf806c6105ac5e080ae86d1fe10f79c57e241c2bd3bf159da2c8c4f076"),
    ])
    func `a step of the schema never changes`(_ version: Int, _ hash: String) {
        let lines = PostgresSchema.steps[version - 1].split(separator: "\n").filter { line in
            let text = line.drop { $0 == " " }
            return !text.isEmpty && !text.hasPrefix("--")
        }
        #expect(Digest.sha256.hash(Array(lines.joined(separator: "\n").utf8)) == [UInt8](hex: hash))
    }

    @Test(arguments: 1...3) func `a schema with logins is upgraded`(_ version: Int) async throws {
        let stage = try self.stage(version: version)
        let row = try PostgresStoreTests.row(1)
        try stage.run(
            "SELECT switchback.insert_login('\\x01000000010000000100000001000000', 1, 5060000, true, false, '\\x01')")
        let report = try PostgresMigration.migrate(stage.settings)
        #expect(report.before == version && report.after == PostgresSchema.version)
        let store = try stage.store()
        #expect(try await store.load(row.id) == row)
        #expect(try await store.openCount() == 1)
        #expect(try await store.insertSession(try SessionStoreConformanceTests.row(1)))
        await store.close()
        #expect(try PostgresMigration.migrate(stage.settings).before == PostgresSchema.version)
    }

    /// The upgrade takes no lock for which a server of the previous version waits, nor waits for one of its statements.
    @Test(arguments: [2, 3]) func `an upgrade holds nobody up`(_ version: Int) async throws {
        let stage = try self.stage(version: version)
        let busy = try await stage.hold(
            "INSERT INTO switchback.login VALUES (1, '\\x01', 1, 1, true, false, false, 1, '')")
        #expect(try PostgresMigration.migrate(stage.settings).before == version)
        await busy.end()
        let held = try self.stage(version: version)
        let upgrade = try await held.hold(PostgresSchema.steps[version] + PostgresSchema.record(version + 1))
        try held.run("SET lock_timeout = '1s'; SELECT switchback.probe()")
        await upgrade.end()
        #expect(try held.run("SELECT max(version) FROM switchback.schema_version") == "\(version)", "done or not")
    }

    /// Every statement on logins of versions 1 and 2, as their servers send them, on this schema. Never change these.
    @Test func `the statements of the version before work`() throws {
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
            ("SELECT \(columns) FROM switchback.login WHERE id = $1 AND hour BETWEEN $2 AND $3", [id] + hours, 1, nil),
            (
                """
                WITH held AS MATERIALIZED (
                    SELECT l.id, l.hour, l.revision, l.awaited
                    FROM unnest($1, $2) AS known (id, revision)
                    JOIN switchback.login AS l ON l.id = known.id AND l.revision = known.revision
                    WHERE l.hour BETWEEN $3 AND $4
                    FOR NO KEY UPDATE OF l SKIP LOCKED
                ), marked AS (
                    UPDATE switchback.login AS l SET awaited = l.revision FROM held
                    WHERE l.id = held.id AND l.hour = held.hour AND l.hour BETWEEN $3 AND $4
                        AND held.awaited IS DISTINCT FROM held.revision
                )
                SELECT held.id FROM held, set_config('synchronous_commit', 'off', true)
                """, [.bytesList([Array(repeating: 9, count: 16)]), .integerList([1])] + hours, 1, nil
            ),
            (
                "SELECT id, revision FROM switchback.login WHERE id = ANY($1) AND hour BETWEEN $2 AND $3",
                [.bytesList([Array(repeating: 9, count: 16)])] + hours, 1, nil
            ),
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
                [0, 0, 0, 4]
            ),
        ]
        for (sql, parameters, count, first) in table {
            let answer = try handle.ask(PostgresStatement(sql, parameters))
            #expect(answer.count == count, "\(sql)")
            if let first { #expect(try answer.bytes(0, 0) == first, "\(sql)") }
        }
        // What version 3 asked at its start: it may serve if this is not greater than 3.
        #expect(
            try stage.run("SELECT oldest_binary FROM switchback.schema_version ORDER BY version DESC LIMIT 1") == "3")
    }

    /// The privileges that versions 2 and 3 granted suffice for their servers and for those of this version.
    @Test(arguments: [2, 3]) func `the rights of the version before suffice`(_ version: Int) async throws {
        let stage = try self.stage(version: version)
        let role = "serving_\(UInt32.random(in: 0 ... .max))"
        try stage.run(
            """
            CREATE ROLE \(role) LOGIN PASSWORD 'of-the-server';
            GRANT USAGE ON SCHEMA switchback TO \(role);
            GRANT SELECT ON switchback.schema_version TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON switchback.login, switchback.session TO \(role);
            GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA switchback TO \(role);
            """)
        _ = try PostgresMigration.migrate(stage.settings)
        var settings = PostgresSettings(
            url: Secret(stage.server.url(stage.database, user: role, password: "of-the-server")))
        settings.migrate = .off
        let store = try stage.store(settings)
        #expect(try await store.insert(try PostgresStoreTests.row(1)))
        let note = NoteAddition(reference: "K7QX-2M4P", bytes: [7], limit: 9, keepUntil: PostgresStage.now())
        #expect(try await store.insert(try PostgresStoreTests.row(2), noting: note))
        #expect(try await store.notes(ofReference: "K7QX-2M4P").map(\.bytes) == [[7]])
        try await store.probe()
        await store.tidy(at: PostgresStage.now() + .seconds(86_400))
        #expect(stage.health.withLock { $0.compactMap(\.self) } == [])
        await store.close()
    }
}
