import Base
import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The database password changes while the program runs: the program reads it again for each connection.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct DatabasePasswordTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The name of the variable, after `SWITCHBACK_POSTGRESQL__`.
        let variable: String
        /// The text of the file.
        let text: @Sendable (_ url: String, _ password: String) -> String
    }

    @Test(arguments: [
        Row(testDescription: "a file with the password", variable: "PASSWORD_FILE", text: { "\($1)\n" }),
        Row(
            testDescription: "a file with the URL", variable: "URL_FILE",
            text: { $0.replacing("@", with: ":\($1)@") }),
    ])
    func `a new password is no outage`(_ row: Row) async throws {
        let server = try PostgresServer.shared()
        let name = try server.makeDatabase()
        let role = "rotating_\(UInt32.random(in: 0 ... .max))"
        try server.run("CREATE ROLE \(role) LOGIN PASSWORD 'first'; ALTER DATABASE \(name) OWNER TO \(role)")
        let url = "postgresql://\(role)@127.0.0.1:\(server.port)/\(name)"
        let inFile = row.variable == "URL_FILE" ? "" : "url: \"\(url)\", "
        // Automatic reloads are off: the server must read the file again without one.
        let stage = try DurableStage(
            "\(DurableStage.immediate)\nreload_interval: 0",
            store: "store: postgresql\npostgresql: {\(inFile)connections: 3}")
        let file = "\(stage.folder)/secret"
        try Self.write(row.text(url, "first"), to: file)
        let process = try await stage.serve(by: ["/usr/bin/env", "SWITCHBACK_POSTGRESQL__\(row.variable)=\(file)"])
        #expect(try await Self.login(stage) == "completed")

        for password in ["second", "third"] {
            try server.run("ALTER ROLE \(role) PASSWORD '\(password)'")
            try Self.write(row.text(url, password), to: file)
            try server.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '\(role)'")
            #expect(try await Self.login(stage) == "completed", "with the password \(password)")
        }
        let offset = stage.log.count
        process.send(SIGHUP)
        let reloaded = try await stage.says("configuration_reloaded", after: offset)
        #expect(reloaded.contains("\"settings\":\"postgresql."), "\(reloaded)")
        #expect(try await Self.login(stage) == "completed")
        process.send(SIGTERM)
        #expect(process.end())
        // A connection opened between the change and the new file is refused, and the pool opens it again.
        #expect(!stage.log.contains("configuration_needs_restart"))
        await stage.stop()
    }

    /// The password is wrong at the start: the program keeps retrying, and a reload applies a new one from the
    /// configuration.
    @Test func `a password in the configuration is read by a reload`() async throws {
        let server = try PostgresServer.shared()
        let name = try server.makeDatabase()
        let stage = try DurableStage(store: Self.store(server.url(name, password: "wrong")))
        let process = try stage.start()
        let failure = try await stage.says("store_failed")
        #expect(failure.contains("password authentication failed") && !failure.contains("wrong"))
        let right = try String(contentsOfFile: "\(stage.folder)/switchback.yaml", encoding: .utf8)
            .replacing("wrong", with: PostgresServer.password)
        try right.write(toFile: "\(stage.folder)/switchback.yaml", atomically: true, encoding: .utf8)
        process.send(SIGHUP)
        _ = try await DurableStage.ready(process, stage.operations)
        #expect(try await Self.login(stage) == "completed")
        process.send(SIGTERM)
        #expect(process.end())
        #expect(!stage.log.contains("configuration_needs_restart") && !stage.log.contains(PostgresServer.password))
        await stage.stop()
    }

    private static func store(_ url: String) -> String { "store: postgresql\npostgresql: {url: \"\(url)\"}" }

    /// Replaces the file in one step, readable by its owner only: `check` rejects a secret that every user may read.
    private static func write(_ text: String, to file: String) throws {
        try SystemFile.create("\(file).new", Array(text.utf8))
        try #require(rename("\(file).new", file) == 0)
    }

    /// Runs one login and returns its final status. A connection that was just ended may cost one response.
    private static func login(_ stage: DurableStage) async throws -> String? {
        let app = PhoneApp(stage.url)
        for _ in 0..<20 {
            let created = try await app.create("demo")
            guard created.status == 503 else {
                var browser = try await ScriptedBrowser(opening: try #require(created.nextURL, "\(created.text)"))
                try await browser.submit(button: "approve")
                return try await app.waitForEnd()["status"]?.string
            }
            try await Task.sleep(for: .milliseconds(250))
        }
        return nil
    }
}
