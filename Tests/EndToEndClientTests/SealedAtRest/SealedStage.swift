import Base
import EndToEndSupport
import Foundation
import GRDB
import KeyFiles
import PhoneKeys
import StrictJSON
import Synchronization
import TestSupport
import Testing

/// A server process with an app that requires a proof, and the contents of its store.
final class SealedStage: Sendable {
    static let prefix = "https://app.example/r/"
    static let nationalID = "010203-9876"

    enum Store: String, CaseIterable {
        case sqlite, postgresql

        static let all = Self.allCases.filter { $0 == .sqlite || TestTier.isWhole }
    }

    let durable: DurableStage
    /// The server, while it runs.
    private let process = Mutex<ChildProcess?>(nil)
    /// The name of the PostgreSQL database; nil with SQLite.
    private let database: String?
    private let hasSessions: Bool

    /// With `hasSessions` the app's logins become sessions.
    init(_ store: Store = .sqlite, hasSessions: Bool = false) async throws {
        switch store {
        case .sqlite: self.database = nil
        case .postgresql: self.database = try PostgresServer.shared().makeDatabase()
        }
        let url = try self.database.map { try PostgresServer.shared().url($0) }
        self.hasSessions = hasSessions
        self.durable = try DurableStage(
            store: url.map { "store: postgresql\npostgresql: {url: \"\($0)\"}" })
        if hasSessions {
            try SystemFile.create("\(self.durable.folder)/access.key", try KeyGenerator.file(.es256))
            try SystemFile.create("\(self.durable.folder)/session.key", try KeyGenerator.file(.session))
        }
        try await self.start()
        self.durable.front.conduct(at: "/userinfo", .changesDocument { $0["cpr"] = .string(Self.nationalID) })
    }

    /// Starts the server. `sessions` are settings of all sessions.
    func start(sessions: String = "") async throws {
        let folder = self.durable.folder
        let app = self.hasSessions ? ", session: unlock, session_audience: \"\(SessionPhone.audience)\"" : ""
        let keys = "keys: {access: [{file: \(folder)/access.key}], session: [{file: \(folder)/session.key}]}"
        try self.durable.configure(
            """
            apps: {demo: {name: Demo, release: return_link, return_prefixes: ["\(Self.prefix)"]\(app)}}
            link_url: http://localhost:9
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
            log: {level: debug, format: json}
            \(self.hasSessions ? "\(keys)\nsessions: {\(sessions)}" : "")
            """,
            provider: ", national_id_claim: cpr, national_id_type: dk:cpr"
                + (self.hasSessions ? ", session: unlock" : ""))
        let process = try await self.durable.serve()
        self.process.withLock { $0 = process }
    }

    /// Ends the server, which leaves its files as they are.
    func kill() {
        guard let process = self.process.withLock({ $0.take() }) else { return }
        process.terminate()
        _ = process.end()
    }

    func stop() async {
        self.kill()
        await self.durable.stop()
    }

    /// Another writer of the SQLite file.
    func writer() throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        return try DatabaseQueue(path: self.durable.database, configuration: configuration)
    }

    /// Returns a dump of the database, or the SQLite files by name. The log is read first: what moves out of it
    /// meanwhile is in the main file.
    func files() throws -> [String: Data] {
        if let database { return ["dump": try PostgresServer.shared().dump(database)] }
        let path = self.durable.database
        let names = ["\(path)-wal", path, "\(path)-shm", "\(path)-lock"]
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                (URL(filePath: $0).lastPathComponent, try Data(contentsOf: URL(filePath: $0)))
            })
    }

    /// Logs the user in, and returns the browser with the done page.
    func logIn(_ app: PhoneApp, key: PhoneKey? = nil) async throws -> ScriptedBrowser {
        let members: JSON.Object = key.map { ["dpop_jkt": .string($0.thumbprint)] } ?? [:]
        let url = try #require(try await app.create("demo", members).nextURL)
        var browser = try await ScriptedBrowser(opening: url, links: [Self.prefix])
        try await self.approve(&browser, app)
        return browser
    }

    /// Logs the user in, and begins the session of this phone.
    @discardableResult
    func session(_ phone: SessionPhone) async throws -> PhoneApp {
        let app = PhoneApp(self.durable.url)
        let link = try #require(try await self.logIn(app, key: phone.key).button)
        phone.keep(try await app.reportReturn(["url": .string(link)]))
        let begun = try await phone.send(try phone.beginning(app))
        try #require(begun.status == 200, "\(begun.text)")
        return app
    }

    func approve(_ browser: inout ScriptedBrowser, _ app: PhoneApp) async throws {
        try await browser.submit(button: "approve")
        // Version 2 is `exchanging`; a browser may be faster than the broker.
        for _ in 0..<100 {
            if try await app.poll(wait: 1, etag: "W/\"2\"").json?["status"]?.string == "awaiting_return" { break }
        }
        try await browser.reload()
    }
}
