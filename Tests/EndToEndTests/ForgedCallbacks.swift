/// Callbacks that belong to no authorization attempt are counted and rarely logged.
import Base
import Testing

@Suite struct ForgedCallbacks {
    @Test func twoHundredWriteOneLine() async throws {
        let server = try await RunningServer.start([.query])
        for number in 0..<200 {
            let url = "\(server.url)/callback/\(BrokerVariant.query.name)?code=1&state=\(number)"
            #expect(try await TestClient.send("GET", url).status == 303)
        }
        let lines = server.log.text.split(separator: "\n").filter { $0.contains("login_callback_ignored") }
        #expect(lines.count == 1)
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics").text
        #expect(metrics.contains("switchback_callbacks_ignored_total{cause=\"state\"} 200\n"))
        await server.stop()
    }

    /// Each cause has its own count and line, and so has each login whose `state` is ours.
    @Test func everyIgnoredCallbackIsCountedByItsCause() async throws {
        let server = try await RunningServer.start([.query])
        let path = "\(server.url)/callback/\(BrokerVariant.query.name)"
        let app = PhoneApp(server.url)
        var browser = try await ScriptedBrowser(
            opening: try #require(try await app.create(BrokerVariant.query.name).nextURL))
        let right = try await browser.callback(of: .query).url
        let state = String(try #require(right.firstMatch(of: /[?&]state=([^&]+)/)?.1))
        let rows = [
            ("state", "\(path)?code=c&state=x"), ("state_missing", path), ("state_missing", "\(path)?code=c"),
            ("state_repeated", "\(path)?code=c&state=\(state)&st%61te=\(state)"),
            ("state_unreadable", "\(path)?code=c&state=%F8"), ("unreadable", "\(path)?code=%F8&state=\(state)"),
            ("unknown_broker", "\(server.url)/callback/nobody?code=c&state=\(state)"),
        ]
        let start = ContinuousClock.now
        for (_, url) in rows { #expect(try await TestClient.send("GET", url).status == 303) }
        let type = [Parameter("Content-Type", "text/plain")]
        #expect(try await TestClient.send("POST", path, fields: type, body: Array("code=c".utf8)).status == 415)
        for _ in 0..<200 { _ = try await TestClient.send("GET", "\(path)?code=%F8&state=\(state)") }
        let counts = [
            "state": 1, "state_missing": 2, "state_repeated": 1, "state_unreadable": 1, "unreadable": 201,
            "unknown_broker": 1, "media_type": 1,
        ]
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics").text
        let lines = server.log.text.split(separator: "\n").filter { $0.contains("login_callback_ignored") }
        // One at once, and one for each minute that a slow machine takes.
        let most = 1 + Int((ContinuousClock.now - start) / .seconds(60))
        for (cause, count) in counts {
            #expect(metrics.contains("switchback_callbacks_ignored_total{cause=\"\(cause)\"} \(count)\n"))
            #expect((1...most).contains(lines.filter { $0.contains("\"cause\":\"\(cause)\"") }.count), "\(cause)")
        }
        let id = try #require(app.id)
        let own = lines.filter { $0.contains("\"login\":\"\(id)\"") }
        #expect((1...most).contains(own.count), "only one cause has our state")
        #expect(try await TestClient.send("GET", right).status == 303)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }
}
