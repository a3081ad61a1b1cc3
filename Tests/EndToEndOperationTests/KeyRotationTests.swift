import Base
import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// Two servers on one PostgreSQL change their server key as `keys rotate` says, and neither loses a login.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted && TestTier.isWhole, "takes long")) struct KeyRotationTests {
    private static let settings = "reload_interval: 1\n\(DurableStage.immediate)"
    private static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }

    private let stage: DurableStage

    init() throws {
        let server = try PostgresServer.shared()
        let url = server.url(try server.makeDatabase())
        self.stage = try DurableStage(
            Self.settings, store: "store: postgresql\npostgresql: {url: \"\(url)\", connections: 4}")
    }

    @Test func `a rotation loses no login at either server`() async throws {
        let one = try await self.stage.serve()
        let (other, otherURL) = try await self.stage.serveBeside()
        let urls = [self.stage.url, otherURL]
        let before = try await Self.create(at: urls)

        // The new key is published.
        let made = try self.keys("rotate", "server", "--file", "\(self.stage.folder)/new.key", "--write")
        #expect(made.succeeds && made.text.contains("server_keys: [\(self.stage.folder)/server.key, "), "\(made.text)")
        try await self.reloads { try self.stage.configure(Self.settings, serverKeys: ["server.key", "new.key"]) }
        let early = try self.keys("rotate", "server", "--write")
        #expect(!early.succeeds && early.text.contains("too early"), "\(early.text)")

        // The test backdates the key by a day. The key becomes active while logins begin and continue.
        let active = WallClock.now() + .seconds(4)
        try await self.reloads { try self.time(created: active - Self.days(1), active: active) }
        var apps: [PhoneApp] = []
        while WallClock.now() < active + .seconds(3) {
            apps.append(try await Self.create(at: urls))
            apps.append(try await Self.create(at: urls.reversed()))
            try await Task.sleep(for: .milliseconds(100))
        }
        for app in [before] + apps {
            for url in urls { #expect(try await PhoneApp(url, as: app).poll().status == 200) }
        }
        for app in [before, apps[0], apps[apps.count - 1]] {
            let opening = try #require(try await app.poll().json?["next"]?["url"]?.string)
            var browser = try await ScriptedBrowser(opening: opening.replacing(urls[0], with: urls[1]))
            try await browser.submit(button: "approve")
            #expect(try await app.waitForEnd()["status"]?.string == "completed")
        }

        // The old key is retired.
        let status = try self.keys("status").text
        #expect(status.contains("retired    \(self.stage.folder)/server.key"), "\(status)")
        #expect(status.contains("active     \(self.stage.folder)/new.key"), "\(status)")
        #expect(try self.keys("rotate", "server").text.contains("too early"))
        let offset = self.stage.log.count
        try self.stage.configure(Self.settings, serverKeys: ["new.key"])
        #expect(try await self.stage.says("configuration_refused", after: offset).contains("is needed until"))
        #expect(try await before.poll().status == 200, "the servers keep their configuration")
        for server in [one, other] {
            server.send(SIGTERM)
            #expect(server.end())
        }

        // The old key is removed long after. The latest logins were made with the new key.
        try self.time(created: active - Self.days(9), active: active - Self.days(8))
        let last = try await self.stage.serve()
        #expect(try await PhoneApp(urls[0], as: apps[apps.count - 1]).poll().status == 200)
        #expect(try await before.poll().status == 404)
        last.send(SIGTERM)
        #expect(last.end())
        await self.stage.stop()
    }

    /// Creates a login at one server and checks that the other one knows it.
    private static func create(at urls: [String]) async throws -> PhoneApp {
        let app = PhoneApp(urls[0])
        #expect(try await app.create("demo").status == 201)
        #expect(try await PhoneApp(urls[1], as: app).poll().status == 200)
        return app
    }

    /// Runs `change` and waits until both servers have reloaded.
    private func reloads(_ change: () throws -> Void) async throws {
        func count() -> Int { self.stage.log.split(separator: "\n").count { $0.contains("configuration_reloaded") } }
        let before = count()
        try change()
        #expect(try await eventually { count() >= before + 2 })
    }

    private func time(created: Timestamp, active: Timestamp) throws {
        let path = "\(self.stage.folder)/new.key"
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        let text =
            "# created: \(created.wholeSecondRFC3339)\n# active: \(active.wholeSecondRFC3339)\n\(lines.joined())\n"
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    private func keys(_ arguments: String...) throws -> (succeeds: Bool, text: String) {
        let words = [DurableStage.binary, "keys"] + arguments
        return try CommandVariableTests.run(
            words + ["--config", "\(self.stage.folder)/switchback.yaml"], in: self.stage.folder)
    }
}
