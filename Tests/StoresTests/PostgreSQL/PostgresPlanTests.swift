import Base
import Logins
import TestSupport
import Testing

@testable import Stores

/// Sessions plan the statements of requests once, for all values. Where they cannot, the statements still work.
@Suite(.enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresPlanTests {
    /// A store with one session for statements, so that each statement sees what the one before has prepared.
    private static func store(_ stage: PostgresStage, pooled: Bool = false) throws -> PostgresLoginStore {
        var settings = stage.settings
        settings.connections = pooled ? 1 : 2
        settings.wake = pooled ? .poll : .notify
        return try stage.store(settings)
    }

    private static func count(_ sql: String, in store: PostgresLoginStore) async throws -> Int64 {
        try await store.pool.ask(PostgresStatement(sql)).get().integer(0, 0)
    }

    /// Uses each statement of a login several times.
    private static func use(_ store: PostgresLoginStore, from number: Int) async throws {
        for number in number..<number + 7 {
            let row = try PostgresStoreTests.row(number)
            #expect(try await store.insert(row))
            #expect(try await store.insert(row) == false)
            #expect(try await store.load(row.id) == row)
            let next = try PostgresStoreTests.row(number, revision: 2)
            #expect(try await store.replace(next, revision: 1))
            #expect(try await store.replace(next, revision: 1) == false)
            #expect(try await store.remove(row.id, revision: 2))
            #expect(try await store.load(row.id) == nil)
        }
    }

    @Test func `a session plans a statement once`() async throws {
        let stage = try PostgresStage()
        let store = try Self.store(stage)
        try await Self.use(store, from: 0)
        // Notifications are sent in groups, so nobody knows how many.
        let names = """
            FROM pg_prepared_statements WHERE name LIKE 'switchback%' AND statement NOT LIKE '%pg_notify%'
            """
        #expect(try await Self.count("SELECT count(*) \(names)", in: store) == 5)
        #expect(try await Self.count("SELECT sum(custom_plans)::bigint \(names)", in: store) == 0)
        #expect(try await Self.count("SELECT min(generic_plans) \(names)", in: store) == 7)
        await store.close()
    }

    /// The one plan is for all partitions, and the execution reads only one of them.
    @Test func `the plan leaves out partitions when it runs`() async throws {
        let stage = try PostgresStage()
        let store = try Self.store(stage)
        try await Self.use(store, from: 0)
        for statement in [
            PostgresSQL.load(try PostgresStoreTests.row(1).id, in: 5...5),
            PostgresSQL.replace(try PostgresStoreTests.row(1), revision: 1, in: 5...5),
        ] {
            let name = try #require(statement.name)
            let values = statement.parameters.map { parameter in
                switch parameter {
                case .bytes: "'\\x00'"
                case .boolean: "true"
                default: "5"
                }
            }
            let sql = "EXPLAIN EXECUTE \(name)(\(values.joined(separator: ", ")))"
            let plan = try await store.pool.ask(PostgresStatement(sql)).get()
            let lines = try (0..<plan.count).map { String(decoding: try plan.bytes($0, 0), as: UTF8.self) }
            #expect(lines.contains { $0.contains("Subplans Removed: ") }, "\(lines)")
            #expect(lines.count { $0.contains("Scan ") } == 1, "\(lines)")
        }
        await store.close()
    }

    /// Something has removed the session's plans, as a pooler that nobody declared does.
    @Test func `a session without its plans goes on`() async throws {
        let stage = try PostgresStage()
        let store = try Self.store(stage)
        try await Self.use(store, from: 0)
        _ = try await store.pool.ask(PostgresStatement("DEALLOCATE ALL")).get()
        try await Self.use(store, from: 10)
        #expect(try await Self.count("SELECT count(*) FROM pg_prepared_statements", in: store) == 0)
        await store.close()
    }

    @Test func `behind a pooler no statement stays prepared`() async throws {
        let stage = try PostgresStage()
        let store = try Self.store(stage, pooled: true)
        try await Self.use(store, from: 0)
        #expect(try await Self.count("SELECT count(*) FROM pg_prepared_statements", in: store) == 0)
        await store.close()
    }

    /// Two texts must never have one name, even in different versions.
    @Test func `a name is made from the text`() {
        #expect(PostgresQuery("SELECT 1").name == PostgresQuery("SELECT 1").name)
        #expect(PostgresQuery("SELECT 1").name != PostgresQuery("SELECT 2").name)
        #expect(PostgresQuery("").name == "switchback_cbf29ce484222325")
    }
}
