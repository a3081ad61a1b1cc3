import EndToEndSupport
import Foundation
import StrictJSON
import TestSupport
import Testing

/// Runs `Examples/python/push.py` unchanged: it notifies the app of each login once, after a restart too.
@Suite(.blocking, .enabled(if: TestTier.isWhole, "`make check` installs what the samples need"))
struct SamplePushTests {
    private static func folder() -> String {
        "\(NSTemporaryDirectory())/switchback-push-\(UInt64.random(in: 0 ... .max))"
    }

    private static func body(of app: PhoneApp, device: String) throws -> JSON {
        ["id": .string(try #require(app.id)), "poll_secret": .string(app.secret), "device": .string(device)]
    }

    @Test func `the app is notified when a login is final`() async throws {
        let (server, folder) = (try await EncryptedAssertionTests.server(), Self.folder())
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let push = try await SamplePush.start(for: server, apiKey: EncryptedAssertionTests.apiKey, in: folder)
        let app = PhoneApp(server.url)
        let created = try await app.create("mitid", ["nonce": "n-1"])
        // The app repeats a request whose answer got lost.
        for _ in 0..<2 { #expect(try await push.watch(try Self.body(of: app, device: "phone-1")) == 202) }
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, EncryptedAssertionTests.variant)
        let first = try await push.notification()
        #expect(first["push"]?.string == "phone-1")
        #expect(first["login"]?.string == app.id)
        #expect(first.object?.count == 2, "the push service learns nothing else")

        // Were there a second notification of the first login, it would come before this one.
        let other = PhoneApp(server.url)
        _ = try await other.create("mitid", ["nonce": "n-2"])
        #expect(try await push.watch(try Self.body(of: other, device: "phone-2")) == 202)
        #expect(try await other.cancel().status == 200)
        #expect(try await push.notification()["push"]?.string == "phone-2")
        try await push.stop()
        await server.stop()
    }

    @Test func `the watch continues after a restart`() async throws {
        let (server, folder) = (try await EncryptedAssertionTests.server(), Self.folder())
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let before = try await SamplePush.start(for: server, apiKey: EncryptedAssertionTests.apiKey, in: folder)
        let app = PhoneApp(server.url)
        _ = try await app.create("mitid", ["nonce": "n-1"])
        #expect(try await before.watch(try Self.body(of: app, device: "phone-1")) == 202)
        try await before.stop()
        #expect(try await app.cancel().status == 200)
        let after = try await SamplePush.start(for: server, apiKey: EncryptedAssertionTests.apiKey, in: folder)
        #expect(try await after.notification()["login"]?.string == app.id)
        try await after.stop()
        await server.stop()
    }

    static let malformed: [JSON] = [
        [:], [], "x", ["id": "x", "poll_secret": "y", "device": "z"], ["id": 1, "poll_secret": 2, "device": 3],
        ["id": "../../../v1/providers?", "poll_secret": .string(String(repeating: "a", count: 43)), "device": "z"],
    ]

    @Test func `a malformed login is refused`() async throws {
        let (server, folder) = (try await EncryptedAssertionTests.server(), Self.folder())
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let push = try await SamplePush.start(for: server, apiKey: EncryptedAssertionTests.apiKey, in: folder)
        for body in Self.malformed { #expect(try await push.watch(body) == 400, "\(body)") }
        try await push.stop()
        await server.stop()
    }
}
