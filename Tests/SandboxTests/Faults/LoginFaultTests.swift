import Base
import Sandbox
import Testing

/// Faults of one login of our server, found by the beginning of its `state`.
@Suite struct LoginFaultTests {
    /// The server's states begin as the ids of their logins do.
    private static let login = "K7QXAAECAwQFBgcICQoLDA"
    private static let state = "K7QXAAECAwQFBgcICQoLD" + String(repeating: "x", count: 43)
    private static let other = "K7QXAAECAwQFBgcICQoLE" + String(repeating: "x", count: 43)

    @Test func `a fault before the page is for its login`() async throws {
        let stage = try Stage()
        try stage.provider.setFault("par-status-500", forLogin: Self.login)
        #expect(try await stage.push(["state": Self.state]).status == 500)
        #expect(try await stage.push(["state": Self.state]).status == 500, "until the login has a page")
        #expect(try await stage.push(["state": Self.other]).status == 201)
        #expect(try await stage.push(["state": "short"]).status == 201)
        try stage.provider.setFault("par-status-200", forLogin: Self.login)
        #expect(try await stage.push(["state": Self.state]).status == 200, "the last one counts")
        await stage.end()
    }

    @Test func `a fault of the page is used up`() async throws {
        let stage = try Stage()
        try stage.provider.setFault("error-server-error", forLogin: Self.login)
        #expect(try await stage.walk.login(stage.request(["state": Self.other]))["error"] == nil)
        #expect(try await stage.walk.login(stage.request(["state": Self.state]))["error"] == "server_error")
        #expect(try await stage.walk.login(stage.request(["state": Self.state]))["error"] == nil)
        await stage.end()
    }

    @Test func `a name that no fault has is refused`() throws {
        let stage = try Stage()
        let failure = OperatorError(
            "there is no fault no-such-fault here: use one of SandboxFault.all that this system has")
        #expect(throws: failure) {
            try stage.provider.setFault("no-such-fault", forLogin: Self.login)
        }
    }
}
