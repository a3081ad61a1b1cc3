import EndToEndSupport
import StrictJSON
import Testing

/// The user chooses another e-ID, and then completes the first login after all.
@Suite struct LeftLoginTests {
    @Test func `a login that was left for another still completes`() async throws {
        let server = try await RunningServer.start([.query])
        let (former, new) = (PhoneApp(server.url), PhoneApp(server.url))
        let provider = BrokerVariant.query.name
        var browser = try await ScriptedBrowser(opening: try #require(try await former.create(provider).nextURL))
        for status in [201, 200] {
            #expect(try await new.create(provider, ["replaces": .string(former.secret)]).status == status)
        }
        #expect(try await new.create(provider).status == 422)
        #expect(try await former.poll().json?["status"]?.string == "pending")
        try await browser.submit(button: "approve")
        #expect(try await former.waitForEnd()["status"]?.string == "completed")
        #expect(try await new.poll().json?["status"]?.string == "pending")
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics").text
        await server.stop()
        let counted = metrics.split(separator: "\n").filter { $0.hasPrefix("switchback_logins_replaced_total{") }
        #expect(counted.count == 1 && counted.first?.hasSuffix(",provider=\"\(provider)\"} 1") == true)
        let lines = server.log.text.split(separator: "\n").compactMap { try? JSON(parsing: Array($0.utf8)) }
            .filter { $0["event"]?.string == "login_replaced" }
        #expect(lines.count == 1)
        #expect(lines.first?["login"]?.string == former.id)
        #expect(lines.first?["new_login"]?.string == new.id)
        #expect(!server.log.text.contains(former.secret))
        #expect(!metrics.contains(former.secret))
    }
}
