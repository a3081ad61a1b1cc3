import EndToEndSupport
import TestSupport
import Testing

/// The paths of the sandbox's own API and of its pages: a server as `serve` runs it has none of them.
@Suite(.blocking) struct SandboxPathTests {
    static let requests: [(method: String, path: String)] = [
        ("GET", "/sandbox"), ("GET", "/sandbox/"), ("GET", "/sandbox/calls"), ("GET", "/sandbox/faults"),
        ("PUT", "/sandbox/faults/sandbox"), ("DELETE", "/sandbox/faults/sandbox"),
        ("POST", "/sandbox/logins/x/approve"), ("GET", "/workbench.js"), ("GET", "/sandbox.css"), ("GET", "/phone.js"),
    ]

    @Test func `a server has none of the sandbox's paths`() async throws {
        let server = try await RunningServer.start([.query])
        for (method, path) in Self.requests {
            #expect(try await TestClient.send(method, server.url + path).status == 404, "\(method) \(path)")
        }
        await server.stop()
    }
}
