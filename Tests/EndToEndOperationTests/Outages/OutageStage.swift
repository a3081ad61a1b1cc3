import Base
import EndToEndSupport
import Foundation
import GRDB
import KeyFiles
import Logging
import Sandbox
import ServerConfiguration
import Switchback
import Synchronization
import Telemetry
import TestSupport

/// A server whose store, broker, keys and clock a test can each take away. The broker's own clock stays right.
final class OutageStage: Sendable {
    private let broker: FrontedSandbox
    let clock = TestClock()
    let log = CapturedLog()
    let url: String
    let operations: String
    /// The database server; nil for the other stores.
    let database: PostgresServer?
    private let databaseName: String
    private let ownsDatabase: Bool
    private let store: OutageRow.Store
    private let timeout: Int
    private let settings: String
    private let folder: String
    private let key: [UInt8]
    private let server = Mutex<SwitchbackServer?>(nil)
    private let holder = Mutex<DatabaseQueue?>(nil)
    private let slowness = Mutex<Task<Void, Never>?>(nil)

    var front: FaultyFront { self.broker.front }
    var sandbox: SandboxProvider { self.broker.provider }

    /// `timeout` is that of requests to the broker, in seconds. `settings` are more lines of the configuration.
    init(_ store: OutageRow.Store, ownsDatabase: Bool = false, timeout: Int = 1, settings: String = "") throws {
        let database = try store == .postgresql ? (ownsDatabase ? PostgresServer() : .shared()) : nil
        self.database = database
        self.databaseName = try database?.makeDatabase() ?? ""
        self.ownsDatabase = ownsDatabase
        let broker = try FrontedSandbox()
        self.folder = NSTemporaryDirectory() + "switchback-outage-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: self.folder, withIntermediateDirectories: true)
        self.key = try KeyGenerator.file(.server)
        self.broker = broker
        self.store = store
        self.timeout = timeout
        self.settings = settings
        self.url = "http://127.0.0.1:\(broker.port)"
        self.operations = "http://127.0.0.1:\(broker.operationsPort)"
        try self.start(keys: [self.key])
    }

    func stop() async {
        try? self.letStoreGo()
        await self.stopServing()
        await self.broker.stop()
        if self.ownsDatabase { self.database?.stop() }
        try? FileManager.default.removeItem(atPath: self.folder)
    }

    // MARK: - The server

    /// Replaces the server with a new one, with these keys or its own.
    func restart(keys: [[UInt8]]? = nil) async throws {
        await self.stopServing()
        try self.start(keys: keys ?? [self.key])
    }

    /// Restarts the server with a new key, which precedes or replaces the old one.
    func changeKey(keepingOld: Bool) async throws {
        let day = Duration.seconds(86_400)
        let times = KeyTimes(created: WallClock.now() - day - day, active: WallClock.now() - day)
        let new = try KeyGenerator.file(.server, times: keepingOld ? times : KeyTimes())
        try await self.restart(keys: keepingOld ? [new, self.key] : [new])
    }

    private func stopServing() async {
        let server = self.server.withLock { $0.take() }
        await server?.stop()
    }

    private func start(keys: [[UInt8]]) throws {
        let names = keys.indices.map { "server\($0).key" }
        let files = FileAccess(
            Dictionary(uniqueKeysWithValues: zip(names, keys)), isFolder: FileAccess.system.isFolder)
        let yaml = """
            public_url: \(self.url)
            listen: 127.0.0.1:\(self.broker.port)
            operations_listen: \(self.operations.dropFirst("http://".count))
            store: \(self.store.rawValue)
            \(self.storeSettings)
            server_keys: [\(names.joined(separator: ", "))]
            drain_delay: 0
            \(self.settings)
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
            apps: {demo: {name: Demo, release: immediate}}
            brokers:
              main:
                {\(self.broker.settings), timeout: \(self.timeout)}
            providers:
              demo: {broker: main, names: {en: Sandbox}, prompt: login}
              with_code: {broker: main, names: {en: Sandbox}, prompt: login, release: code}
            """
        let configuration = try Configuration(
            ConfigurationSource(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
        let log = self.log
        let logger = Logger(label: "test") { _ in
            LineLogHandler(.json, level: .debug, now: WallClock.now, write: { log.append($0) })
        }
        let server = try SwitchbackServer(configuration: configuration, logger: logger, now: self.clock.now)
        _ = try server.start()
        self.server.withLock { $0 = server }
    }

    // MARK: - The store

    private var storeSettings: String {
        guard let database = self.database else { return "sqlite: {path: \(self.folder)/data/switchback.db}" }
        return "postgresql: {url: \"\(database.url(self.databaseName))\"}"
    }

    /// Makes the database read-only, as a standby is before its promotion.
    func setReadOnly(_ isReadOnly: Bool) async throws {
        try self.database?.run(
            "ALTER DATABASE \(self.databaseName) SET default_transaction_read_only = \(isReadOnly ? "on" : "off")")
        // A connection reads this setting when it begins, so the existing ones must end.
        try self.database?.run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '\(self.databaseName)'")
        if !isReadOnly { try await self.waitUntilReady() }
    }

    func startDatabase() async throws {
        try self.database?.start()
        try await self.waitUntilReady()
    }

    /// Waits until the server is ready: after a disconnect it pauses before it reconnects.
    private func waitUntilReady() async throws {
        let patience = Patience.end
        while try await TestClient.send("GET", "\(self.operations)/readyz").status != 200 {
            guard .now < patience else { throw TestClient.Failure(description: "the store does not come back") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func slowDatabase(_ isSlow: Bool) throws {
        let statements =
            isSlow
            ? """
            CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql
                AS 'BEGIN PERFORM pg_sleep(0.3); RETURN NEW; END';
            CREATE TRIGGER slow BEFORE INSERT OR UPDATE ON switchback.login
                FOR EACH ROW EXECUTE FUNCTION slow()
            """
            // The server locks the table before its partitions. DROP TRIGGER alone does it the other way round, and would
            // end in a deadlock.
            : "BEGIN; LOCK TABLE switchback.login; DROP TRIGGER slow ON switchback.login; COMMIT"
        try self.database?.run(statements, in: self.databaseName)
    }

    func moveStoreAway() throws {
        try FileManager.default.moveItem(atPath: "\(self.folder)/data", toPath: "\(self.folder)/elsewhere")
    }

    func putStoreBack() throws {
        try FileManager.default.moveItem(atPath: "\(self.folder)/elsewhere", toPath: "\(self.folder)/data")
    }

    /// Waits until this many steps could not be stored. The log has one line a minute of them.
    func waitForStoreFailures(_ count: Int) async throws {
        let patience = Patience.end
        let series = /switchback_login_steps_total\{step="store_failed",provider="none"\} (\d+)/
        while true {
            let metrics = try await TestClient.send("GET", "\(self.operations)/metrics").text
            if let match = metrics.firstMatch(of: series), Int(match.1) ?? 0 >= count { return }
            guard .now < patience else { throw TestClient.Failure(description: "the store does not fail") }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Locks the file, as a backup or the sqlite3 command does: from now on no other process can write.
    func holdStore() throws {
        var configuration = GRDB.Configuration()
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: "\(self.folder)/data/switchback.db", configuration: configuration)
        try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        self.holder.withLock { $0 = queue }
    }

    func letStoreGo() throws {
        let queue = self.holder.withLock { $0.take() }
        try queue?.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try queue?.close()
    }

    /// Makes each write wait for a third of a second, as on a busy disk.
    func beginSlowness() throws {
        try self.holdStore()
        let task = Task.detached {
            while !Task.isCancelled {
                try? await Task.sleep(for: .milliseconds(300))
                try? self.letStoreGo()
                // Long enough for a writer that retries every tenth of a second.
                try? await Task.sleep(for: .milliseconds(150))
                if !Task.isCancelled { try? self.holdStore() }
            }
            try? self.letStoreGo()
        }
        self.slowness.withLock { $0 = task }
    }

    func endSlowness() async {
        let task = self.slowness.withLock { $0 }
        task?.cancel()
        await task?.value
    }
}
