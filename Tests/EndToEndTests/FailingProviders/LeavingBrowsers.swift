/// A browser that leaves takes with it what only it was waiting for.
import Foundation
import Testing

@Suite(.timeLimit(.minutes(2))) struct LeavingBrowsers {
    /// The broker sees us hang up long before its own time is over.
    @Test func anOpeningIsGivenUp() async throws {
        var broker = FailingBroker()
        broker.timeout = 60
        broker.settings = "client_secret: secret, request_style: par"
        let stage = try await FailingStage(broker)
        stage.front.conduct(at: "/par", .neverAnswers)
        let created = try await PhoneApp(stage.url).create(FailingStage.provider)
        let link = try #require(created.nextURL.flatMap { URL(string: $0) })
        let descriptor = try TestClient.connect(port: UInt16(try #require(link.port)))
        try TestClient.write(Array("GET \(link.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8), to: descriptor)
        _ = await stage.front.reached.next()
        #expect(stage.front.givenUp.isEmpty)
        close(descriptor)
        _ = await stage.front.givenUp.next()
        // The broker may see the end before it is counted. By its deadline it would have timed out.
        var ends: [String: Double] = [:]
        for _ in 0..<500 where ends.isEmpty {
            for outcome in ["cancelled", "timed_out"] { ends[outcome] = try await stage.requests("par", outcome) }
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(ends == ["cancelled": 1])
        // The login is as it was, and another browser opens it.
        stage.front.conduct(nil)
        let answer = try await TestClient.send("GET", link.absoluteString)
        #expect(answer.status == 303)
        await stage.stop()
    }
}
