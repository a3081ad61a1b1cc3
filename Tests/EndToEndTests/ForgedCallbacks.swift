/// Callbacks that belong to no authorization attempt are counted and rarely logged.
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
}
