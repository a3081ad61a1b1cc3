import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// When a browser leaves, the server cancels the work that only this browser waits for.
@Suite(.blocking, .timeLimit(.minutes(2))) struct LeavingBrowserTests {
    /// The broker sees us close the connection long before its timeout. The server is a process of its own, so that
    /// tests which block the threads of this process do not delay it.
    @Test func `an authorization start is cancelled when its browser leaves`() async throws {
        let stage = try DurableStage()
        try stage.configure(DurableStage.immediate, broker: ", timeout: 60, request_style: par")
        let process = try await stage.serve()
        stage.front.conduct(at: "/par", .neverAnswers)
        let created = try await PhoneApp(stage.url).create("demo")
        let link = try #require(created.nextURL.flatMap { URL(string: $0) })
        let descriptor = try TestClient.connect(port: stage.appPort)
        try TestClient.write(Array("GET \(link.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".utf8), to: descriptor)
        _ = await stage.front.reached.next()
        #expect(stage.front.givenUp.isEmpty)
        close(descriptor)
        _ = await stage.front.givenUp.next()
        // The broker may see the end before the server counts it. At its deadline the request would count as
        // `timed_out`.
        let ends = try await eventually { try await Self.ends(stage).isEmpty == false }
        #expect(ends)
        #expect(try await Self.ends(stage) == ["cancelled"])
        // The login is unchanged, and another browser can open it.
        stage.front.conduct(nil)
        #expect(try await TestClient.send("GET", link.absoluteString).status == 303)
        process.send(SIGTERM)
        #expect(process.end())
        await stage.stop()
    }

    /// Returns how the pushed requests ended.
    private static func ends(_ stage: DurableStage) async throws -> [String] {
        let metrics = try await TestClient.send("GET", "\(stage.operations)/metrics").text
        return ["cancelled", "timed_out"].filter {
            metrics.contains("requests_total{broker=\"main\",purpose=\"par\",outcome=\"\($0)\"} 1")
        }
    }
}
