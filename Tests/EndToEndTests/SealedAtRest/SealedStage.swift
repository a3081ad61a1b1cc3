/// A server process with an app that requires a proof, and the contents of its store.
import Foundation
import GRDB
import TestSupport
import Testing

final class SealedStage: Sendable {
    static let prefix = "https://app.example/r/"
    static let nationalID = "010203-9876"

    enum Store: String, CaseIterable {
        case sqlite, postgresql

        static let all = Self.allCases.filter { $0 == .sqlite || TestTier.isWhole }
    }

    let durable: DurableStage
    let process: ChildProcess
    /// The name of the PostgreSQL database; nil with SQLite.
    private let database: String?

    init(_ store: Store = .sqlite) async throws {
        switch store {
        case .sqlite: self.database = nil
        case .postgresql: self.database = try PostgresServer.shared().makeDatabase()
        }
        let url = try self.database.map { try PostgresServer.shared().url($0) }
        self.durable = try DurableStage(
            """
            apps: {demo: {name: Demo, release: return_link, return_prefixes: ["\(Self.prefix)"]}}
            link_url: http://localhost:9
            limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0}
            log: {level: debug, format: json}
            """, provider: ", national_id_claim: cpr, national_id_type: dk:cpr",
            store: url.map { "store: postgresql\npostgresql: {url: \"\($0)\"}" })
        self.process = try await self.durable.serve()
        self.durable.front.conduct(at: "/userinfo", .changesDocument { $0["cpr"] = .string(Self.nationalID) })
    }

    func stop() async {
        self.process.terminate()
        _ = self.process.end()
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
    func logIn(_ app: PhoneApp) async throws -> ScriptedBrowser {
        let url = try #require(try await app.create("demo").nextURL)
        var browser = try await ScriptedBrowser(opening: url, links: [Self.prefix])
        try await self.approve(&browser, app)
        return browser
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
