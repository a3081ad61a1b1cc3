/// What `check --online` finds about the database. It says what to do, changes nothing, and shows no password.
import Base
import Stores
import TestSupport
import Testing

@testable import Preflight

@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct DatabaseFindingTests {
    private func findings(_ settings: PostgresSettings) -> [String] {
        FindingList.database(settings).all.map(\.description)
    }

    @Test func itSaysWhetherTheSchemaFits() throws {
        let server = try PostgresServer.shared()
        let database = try server.makeDatabase()
        var settings = PostgresSettings(url: Secret(server.url(database)))
        #expect(
            self.findings(settings) == [
                "warning: store: postgresql.url: the database answers; the first server that starts creates the schema"
            ])
        settings.migrate = .off
        #expect(self.findings(settings).first?.hasPrefix("error: store: postgresql.url: there is no schema") == true)
        #expect(try server.run("SELECT to_regnamespace('switchback')", in: database) == nil, "nothing was made")
        _ = try PostgresMigration.migrate(settings)
        settings.listenURL = Secret(server.url(database))
        #expect(
            self.findings(settings) == [
                "ok: store: postgresql.url: the database answers, and its schema has version 3",
                "ok: store: postgresql.listen_url: the database answers",
            ])
        settings.password = PostgresPassword(Secret("hunter3"))
        let refused = self.findings(settings)
        #expect(refused.count == 2 && refused.allSatisfy { $0.hasPrefix("error:") && !$0.contains("hunter3") })
    }
}
