import Base
import EventLoop
import Foundation
import Synchronization
import TestSupport

@testable import Stores

/// A separate database with a schema, and stores on it like those of separate processes: each with its own loop.
final class PostgresStage: Sendable {
    let server: PostgresServer
    let database: String
    let url: String
    let health = Mutex<[StorageError?]>([])

    /// A database with the schema, which is created once and copied.
    private static let template = Result {
        let server = try PostgresServer.shared()
        let name = try server.makeDatabase()
        _ = try PostgresMigration.migrate(PostgresSettings(url: Secret(server.url(name))))
        return name
    }

    init() throws {
        self.server = try PostgresServer.shared()
        self.database = try self.server.makeDatabase(like: try Self.template.get())
        self.url = self.server.url(self.database)
    }

    /// Uses a separate server, which may be killed.
    init(on server: PostgresServer) throws {
        self.server = server
        self.database = try server.makeDatabase()
        self.url = server.url(self.database)
    }

    var settings: PostgresSettings { PostgresSettings(url: Secret(self.url)) }

    func store(_ settings: PostgresSettings? = nil, knowsKeyRing: Bool = false) throws -> PostgresLoginStore {
        let loop = try EventLoop(name: "postgresql")
        return try PostgresLoginStore(settings ?? self.settings, on: loop, knowsKeyRing: knowsKeyRing) { cause in
            self.health.withLock { $0.append(cause) }
        }
    }

    /// Runs a statement in a transaction that stays open until it is ended.
    func hold(_ sql: String) async throws -> Holding {
        let ended = Mailbox<Void>()
        // It blocks, and there are few threads for tasks.
        Thread.detachNewThread {
            _ = try? self.run("BEGIN; \(sql); SELECT pg_sleep(60); ROLLBACK")
            ended.put(())
        }
        let isHeld = """
            SELECT pid FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event = 'PgSleep' AND query LIKE 'BEGIN; %'
            """
        for _ in 0..<1000 {
            if let process = try self.run(isHeld) { return Holding(stage: self, process: process, ended: ended) }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw MissingTool(description: "nobody holds anything")
    }

    struct Holding: Sendable {
        fileprivate let stage: PostgresStage
        fileprivate let process: String
        fileprivate let ended: Mailbox<Void>

        func end() async {
            _ = try? self.stage.run("SELECT pg_terminate_backend(\(self.process))")
            _ = await self.ended.next()
        }
    }

    static let now: @Sendable () -> Timestamp = { Timestamp(seconds: time(nil)) }

    @discardableResult
    func run(_ sql: String) throws -> String? { try self.server.run(sql, in: self.database) }
}
