import Base
import EndToEndSupport
import Testing

/// Callbacks that belong to no authorization attempt are counted and rarely logged.
@Suite struct ForgedCallbackTests {
    @Test func `two hundred forged callbacks write one line`() async throws {
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

    /// Each cause has its own count and line.
    @Test func `every ignored callback is counted by its cause`() async throws {
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
            ("state_unreadable", "\(path)?code=c&state=%F8"),
            ("unknown_broker", "\(server.url)/callback/nobody?code=c&state=\(state)"),
        ]
        let start = ContinuousClock.now
        for (_, url) in rows { #expect(try await TestClient.send("GET", url).status == 303) }
        let type = [Parameter("Content-Type", "text/plain")]
        #expect(try await TestClient.send("POST", path, fields: type, body: Array("code=c".utf8)).status == 415)
        let counts = [
            "state": 1, "state_missing": 2, "state_repeated": 1, "state_unreadable": 1, "unknown_broker": 1,
            "media_type": 1,
        ]
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics").text
        let lines = server.log.text.split(separator: "\n").filter { $0.contains("login_callback_ignored") }
        // One at once, and one for each minute that a slow machine takes.
        let most = 1 + Int((ContinuousClock.now - start) / .seconds(60))
        for (cause, count) in counts {
            #expect(metrics.contains("switchback_callbacks_ignored_total{cause=\"\(cause)\"} \(count)\n"))
            #expect((1...most).contains(lines.filter { $0.contains("\"cause\":\"\(cause)\"") }.count), "\(cause)")
        }
        #expect(try await TestClient.send("GET", right).status == 303)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        await server.stop()
    }

    /// A login whose `state` a callback had is named in a line of its own, once a minute.
    @Test func `callbacks with our state name their login`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        var browser = try await ScriptedBrowser(
            opening: try #require(try await app.create(BrokerVariant.query.name).nextURL))
        let right = try await browser.callback(of: .query).url
        #expect(try await TestClient.send("GET", right).status == 303)
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        let start = ContinuousClock.now
        for _ in 0..<200 { #expect(try await TestClient.send("GET", right + "&error=late").status == 303) }
        let most = 1 + Int((ContinuousClock.now - start) / .seconds(60))
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics").text
        #expect(metrics.contains("switchback_callbacks_ignored_total{cause=\"other_response\"} 200\n"))
        let id = try #require(app.id)
        let lines = server.log.text.split(separator: "\n").filter {
            $0.contains("login_callback_ignored") && $0.contains("\"login\":\"\(id)\"")
        }
        #expect((1...most).contains(lines.count))
        await server.stop()
    }

    /// RFC 6749 §3.1: what decides something comes once. If it comes twice or cannot be decoded, the response is
    /// invalid, wherever it stands and however its name is written. It is ours, so its login ends, and no code is sent.
    @Test(arguments: [
        ("unreadable", "code=%F8"), ("unreadable", "c%6Fde=%F8"), ("unreadable", "code=%00"),
        ("unreadable", "code=c&iss=%F8"), ("unreadable", "error=%F8"), ("unreadable", "code=c&error=%F8"),
        ("unreadable", "code=c&response=%F8"), ("repeated", "code=c&code=d"), ("repeated", "code=c&c%6Fde=c"),
        ("repeated", "code=c&code=%F8"), ("repeated", "code=c&\(String(repeating: "x=1&", count: 99))code=d"),
    ])
    func `a damaged response ends its login`(_ error: String, _ query: String) async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        var browser = try await ScriptedBrowser(
            opening: try #require(try await app.create(BrokerVariant.query.name).nextURL))
        let right = try await browser.callback(of: .query).url
        let state = String(try #require(right.firstMatch(of: /[?&]state=([^&]+)/)?.1))
        let url = "\(server.url)/callback/\(BrokerVariant.query.name)?\(query)&state=\(state)"
        #expect(try await TestClient.send("GET", url).status == 303)
        #expect(try await app.waitForEnd()["reason"]?["code"]?.string == "invalid_response")
        let errors = try await server.log.brokerErrors("login_callback", expected: 1)
        #expect(errors == ["response_\(error)_parameter"])
        // The right response comes too late.
        #expect(try await TestClient.send("GET", right).status == 303)
        #expect(!server.log.text.contains("login_redeemed"))
        await server.stop()
    }
}
