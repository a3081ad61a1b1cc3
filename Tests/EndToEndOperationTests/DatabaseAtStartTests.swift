import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The program starts without its database and serves once it is reachable. An error that waiting cannot fix ends the
/// program.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct DatabaseAtStartTests {
    private static func stage(_ url: String, _ more: String = "") throws -> DurableStage {
        try DurableStage(store: "store: postgresql\npostgresql: {url: \"\(url)\"\(more)}")
    }

    @Test func `the server serves when its database has started`() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let name = try server.makeDatabase()
        server.kill()
        let stage = try Self.stage(server.url(name))
        let process = try stage.start()
        #expect(try await Self.status("\(stage.operations)/livez", becomes: 200, of: process))
        let ready = try await TestClient.send("GET", "\(stage.operations)/readyz")
        #expect(ready.status == 503 && ready.text.contains("the store cannot keep a login"))
        let app = PhoneApp(stage.url)
        let refused = try await app.create("demo")
        #expect(refused.status == 503 && refused.json?["code"]?.string == "store_unavailable")
        #expect(refused[.retryAfter] != nil)
        let failure = try await stage.says("store_failed")
        #expect(failure.contains("connection to server at") && failure.contains("Connection refused"))
        #expect(process.isRunning)

        try server.start()
        #expect(try await Self.status("\(stage.operations)/readyz", becomes: 200, of: process))
        _ = try await stage.says("store_recovered")
        var browser = try await ScriptedBrowser(opening: try #require(try await app.create("demo").nextURL))
        try await browser.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        process.send(SIGTERM)
        #expect(process.end())
        #expect(!stage.log.contains(PostgresServer.password) && !stage.log.contains("LISTEN hears nothing"))
        await stage.stop()
    }

    /// While the database is down the server cannot see the missing schema. Then it logs the error, and it accepts no
    /// login.
    @Test func `a missing schema that is found late is logged and retried`() async throws {
        let server = try PostgresServer()
        defer { server.stop() }
        let name = try server.makeDatabase()
        server.kill()
        let stage = try Self.stage(server.url(name), ", migrate: \"off\"")
        let process = try stage.start()
        #expect(try await Self.status("\(stage.operations)/livez", becomes: 200, of: process))
        try server.start()
        _ = try await stage.says("there is no schema in the database")
        #expect(try await TestClient.send("GET", "\(stage.operations)/readyz").status == 503)
        #expect(try stage.migrate(at: server.url(name), granting: "postgres"))
        #expect(try await Self.status("\(stage.operations)/readyz", becomes: 200, of: process))
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// What the database contains at the start, and the message it leads to.
    @Test(arguments: [
        ("SELECT 1", "there is no schema in the database: run `switchback migrate` as the role that should own it"),
        (
            """
            CREATE SCHEMA switchback;
            CREATE TABLE switchback.schema_version (version integer, oldest_binary integer);
            INSERT INTO switchback.schema_version VALUES (9, 8)
            """, "the schema has version 9, but this server supports 4: run the version that made it, or the one before"
        ),
        (
            """
            CREATE SCHEMA switchback;
            CREATE TABLE switchback.schema_version (version integer, oldest_binary integer);
            INSERT INTO switchback.schema_version VALUES (4, 3)
            """, "the schema is missing or does not match: run `switchback migrate`"
        ),
    ])
    func `an error that no waiting fixes ends the program`(_ sql: String, _ says: String) async throws {
        let server = try PostgresServer.shared()
        let name = try server.makeDatabase()
        try server.run(sql, in: name)
        let stage = try Self.stage(server.url(name), ", migrate: \"off\"")
        let process = try stage.start()
        #expect(process.status() == 1)
        #expect(stage.log.contains(says), "\(stage.log)")
        await stage.stop()
    }

    /// Returns false when that takes too long or the process ends.
    private static func status(_ url: String, becomes status: Int, of process: ChildProcess) async throws -> Bool {
        let deadline = Patience.end
        while ContinuousClock.now < deadline, process.isRunning {
            if let answer = try? await TestClient.send("GET", url), answer.status == status { return true }
            try await Task.sleep(for: .milliseconds(20))
        }
        return false
    }
}
