import Base
import EventLoop
import Stores
import TestSupport
import Testing

@testable import Preflight

/// What `check --online` finds about the database: what a server would meet there. It says what to do, and shows no
/// password.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct DatabaseFindingTests {
    private static let fits = "ok: store: postgresql.url: the database answers, and its schema has version"
    private static let works = "ok: store: postgresql.url: it reads, writes and removes logins and sessions"

    private static func findings(_ settings: PostgresSettings) async throws -> [String] {
        let loop = try EventLoop(name: "test")
        defer { loop.close() }
        return await FindingList.database(settings, on: loop).all.map(\.description)
    }

    @Test func `the finding says whether the schema fits`() async throws {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        var settings = PostgresSettings(url: Secret(server.url(database)))
        #expect(
            try await Self.findings(settings) == [
                "warning: store: postgresql.url: the database answers; the first server that starts creates the schema"
            ])
        settings.migrate = .off
        #expect(
            try await Self.findings(settings).first?.hasPrefix("error: store: postgresql.url: there is no schema")
                == true)
        #expect(try server.run("SELECT to_regnamespace('switchback')", in: database) == nil, "nothing was made")
        _ = try PostgresMigration.migrate(settings)
        settings.listenURL = Secret(server.url(database))
        let found = try await Self.findings(settings)
        #expect(found.count == 3 && found[0].hasPrefix(Self.fits), "\(found)")
        #expect(found.dropFirst() == [Self.works, "ok: store: postgresql.listen_url: notifications arrive"])
        let rows = "SELECT (SELECT count(*) FROM switchback.login) + (SELECT count(*) FROM switchback.session)"
        #expect(try server.run(rows, in: database) == "0", "no row stays")
        settings.password = PostgresPassword(Secret("hunter3"))
        let refused = try await Self.findings(settings)
        #expect(refused.count == 1 && refused.allSatisfy { $0.hasPrefix("error:") && !$0.contains("hunter3") })
    }

    struct Lack: Sendable, CustomTestStringConvertible {
        /// What is taken from the role of the servers.
        let right: String
        let object: String
        /// What the finding names.
        let named: String

        var testDescription: String { "\(self.right) on \(self.object)" }
    }

    /// Each right of `--grant`. A server that lacks one is not ready, or fails its first login.
    static let lacks = [
        Lack(right: "SELECT", object: "switchback.schema_version", named: "schema_version"),
        Lack(right: "USAGE", object: "SCHEMA switchback", named: "schema"),
        Lack(right: "SELECT", object: "switchback.login", named: "login"),
        Lack(right: "INSERT", object: "switchback.login", named: "login"),
        Lack(right: "UPDATE", object: "switchback.login", named: "login"),
        Lack(right: "DELETE", object: "switchback.login", named: "login"),
        Lack(right: "ALL", object: "switchback.session", named: "session"),
        Lack(right: "SELECT", object: "switchback.session", named: "session"),
        Lack(right: "INSERT", object: "switchback.session", named: "session"),
        Lack(right: "UPDATE", object: "switchback.session", named: "session"),
        Lack(right: "DELETE", object: "switchback.session", named: "session"),
        Lack(right: "EXECUTE", object: "ALL FUNCTIONS IN SCHEMA switchback", named: "function"),
    ]

    @Test(arguments: lacks) func `a role that lacks a right is named`(_ lack: Lack) async throws {
        let server = try PostgresServer.shared()
        let (database, role) = (try server.makeDatabase(), "role_\(UInt32.random(in: 0 ... .max))")
        try server.run("CREATE ROLE \(role) LOGIN PASSWORD 'of-the-servers'")
        _ = try PostgresMigration.migrate(PostgresSettings(url: Secret(server.url(database))), grantee: role)
        var settings = PostgresSettings(url: Secret(server.url(database, user: role, password: "of-the-servers")))
        settings.migrate = .off
        let found = try await Self.findings(settings)
        #expect(found.dropFirst() == [Self.works, "ok: store: postgresql.wake: notifications arrive"], "\(found)")

        try server.run("REVOKE \(lack.right) ON \(lack.object) FROM \(role), PUBLIC", in: database)
        let lacking = try await Self.findings(settings)
        let errors = lacking.filter { $0.hasPrefix("error: store: postgresql.url: ") }
        #expect(errors.count == 1 && lacking.last == errors.first, "\(lacking)")
        #expect(errors.first?.contains("permission denied for") == true && errors[0].contains(lack.named), "\(errors)")
    }

    /// With `migrate: auto` the role must be able to make the schema.
    @Test func `a role that cannot make the schema is named`() async throws {
        let server = try PostgresServer.shared()
        let (database, role) = (try server.makeDatabase(), "role_\(UInt32.random(in: 0 ... .max))")
        try server.run("CREATE ROLE \(role) LOGIN PASSWORD 'of-the-servers'")
        let settings = PostgresSettings(url: Secret(server.url(database, user: role, password: "of-the-servers")))
        let found = try await Self.findings(settings)
        #expect(found.count == 1 && found[0].contains("error: store: postgresql.url: "), "\(found)")
        #expect(found[0].contains("permission denied for database"), "\(found)")
    }

    /// libpq judges its own options only when it connects.
    @Test(arguments: ["sslmode=verify_full", "target_session_attrs=primry"])
    func `an option that libpq does not know is named`(_ option: String) async throws {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        _ = try PostgresMigration.migrate(PostgresSettings(url: Secret(server.url(database))))
        let found = try await Self.findings(PostgresSettings(url: Secret("\(server.url(database))?\(option)")))
        #expect(found.count == 1 && found[0].hasPrefix("error: store: postgresql.url: "), "\(found)")
    }

    struct Pooled: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The startup parameters that PgBouncer ignores.
        let ignored: String
        var wake = PostgresSettings.Wake.notify
        var listensDirectly = false
        /// The last finding.
        let last: String
    }

    static let pooled = [
        Pooled(
            testDescription: "neither setting", ignored: "extra_float_digits",
            last: "error: store: postgresql.url: no server would be ready: "),
        Pooled(
            testDescription: "neither setting, and PgBouncer ignores options", ignored: "extra_float_digits,options",
            last: "error: store: postgresql.wake: servers would not hear of each other's changes: "),
        Pooled(testDescription: "wake: poll", ignored: "extra_float_digits", wake: .poll, last: Self.works),
        Pooled(
            testDescription: "listen_url", ignored: "extra_float_digits", listensDirectly: true,
            last: "ok: store: postgresql.listen_url: notifications arrive"),
    ]

    @Test(.enabled(if: PgBouncer.isWanted, "PgBouncer is not installed"), arguments: pooled)
    func `check says whether servers work through PgBouncer`(_ row: Pooled) async throws {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        _ = try PostgresMigration.migrate(PostgresSettings(url: Secret(server.url(database))))
        let pooler = try PgBouncer(to: server, ignoring: row.ignored)
        defer { pooler.stop() }
        var settings = PostgresSettings(url: Secret(pooler.url(database)))
        settings.migrate = .off
        settings.wake = row.wake
        if row.listensDirectly { settings.listenURL = Secret(server.url(database)) }
        let found = try await Self.findings(settings)
        #expect(found.last?.hasPrefix(row.last) == true, "\(found)")
        if row.last.hasPrefix("error") {
            #expect(found.last?.contains("postgresql.wake to poll") == true, "it says what to do: \(found)")
        }
    }
}
