import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// A provider that is switched off and on again in a running server.
@Suite(.blocking) struct SwitchedOffTests {
    private static let words = "{en: \"The sandbox rests until 14:00.\", da: \"Sandkassen hviler til kl. 14.\"}"

    @Test func `no login begins and none is lost while a provider is off`() async throws {
        let stage = try DurableStage()
        let server = try await stage.serve()
        let (begun, waiting) = (PhoneApp(stage.url), PhoneApp(stage.url))
        var browser = try await ScriptedBrowser(opening: try #require(try await begun.create("demo").nextURL))
        let created = try await waiting.create("demo", ["locale": "da"])
        let link = try #require(created.nextURL)
        #expect(try await Self.isOn(stage) == "1")

        try stage.configure(DurableStage.immediate, provider: ", enabled: false, notices: \(Self.words)")
        server.send(SIGHUP)
        #expect(try await stage.says("configuration_reloaded").contains("providers.demo.enabled"))
        #expect(try await stage.says("configuration_provider_off").contains(#""provider":"demo""#))
        #expect(try await Self.isOn(stage) == "0")
        for (locale, words) in [("en", "The sandbox rests until 14:00."), ("da-DK", "Sandkassen hviler til kl. 14.")] {
            let refused = try await PhoneApp(stage.url).create("demo", ["locale": .string(locale)])
            #expect(refused.status == 409 && refused.json?["code"]?.string == "provider_off")
            #expect(refused.json?["notice"]?.string == words)
        }
        let list = try await TestClient.send("GET", "\(stage.url)/v1/providers").json?["providers"]?.array?.first
        #expect(list?["enabled"]?.bool == false)
        #expect(list?["notices"]?["da"]?.string == "Sandkassen hviler til kl. 14.")

        // The response to its create was lost.
        let again = try await waiting.create("demo", ["locale": "da"])
        #expect(again.status == 200 && again.json?["id"] == created.json?["id"])
        let told = try await ScriptedBrowser(opening: link)
        #expect(told.page.status == 409)
        for piece in ["Sandbox kan ikke bruges lige nu", "<p>Sandkassen hviler til kl. 14.</p>", ">Prøv igen</a>"] {
            #expect(told.page.text.contains(piece), "\(told.page.text)")
        }
        #expect(try await stage.says("login_open_failed").contains("provider_off"))
        #expect(try await waiting.poll().json?["status"]?.string == "pending")
        try await browser.submit(button: "approve")
        #expect(try await begun.waitForEnd()["status"]?.string == "completed")

        try stage.configure(DurableStage.immediate)
        server.send(SIGHUP)
        #expect(try await stage.says("configuration_provider_on").contains(#""provider":"demo""#))
        #expect(try await Self.isOn(stage) == "1")
        var late = try await ScriptedBrowser(opening: link)
        try await late.submit(button: "approve")
        #expect(try await waiting.waitForEnd()["status"]?.string == "completed")
        #expect(try await PhoneApp(stage.url).create("demo").status == 201)
        await Self.stop(stage, server)
    }

    @Test func `a server starts with a provider that is off`() async throws {
        let stage = try DurableStage(provider: ", enabled: false")
        let server = try await stage.serve()
        #expect(try await stage.says("configuration_provider_off").contains(#""provider":"demo""#))
        let refused = try await PhoneApp(stage.url).create("demo", ["locale": "da"])
        #expect(refused.json?["notice"]?.string?.hasPrefix("Du kan ikke logge på med Sandbox") == true)
        await Self.stop(stage, server)
    }

    /// The value of the provider's gauge.
    private static func isOn(_ stage: DurableStage) async throws -> Substring? {
        let name = "switchback_provider_enabled{provider=\"demo\",broker=\"main\"} "
        let text = try await TestClient.send("GET", "\(stage.operations)/metrics").text
        return text.split(separator: "\n").first { $0.hasPrefix(name) }?.dropFirst(name.count)
    }

    private static func stop(_ stage: DurableStage, _ server: ChildProcess) async {
        server.send(SIGTERM)
        #expect(server.status() == 0)
        await stage.stop()
    }
}
