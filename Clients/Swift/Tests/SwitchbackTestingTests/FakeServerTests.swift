import Foundation
import SwitchbackClient
import SwitchbackTesting
import Testing

/// The server of an app's own tests, as the app uses it.
@Suite(.timeLimit(.minutes(1))) struct FakeServerTests {
    /// A store that forgets with the test.
    private actor Logins: SavedLoginStore {
        private var stored: [SavedLogin.ID: SavedLogin] = [:]
        func save(_ login: SavedLogin) async throws { self.stored[login.id] = login }
        func remove(_ id: SavedLogin.ID) async throws { self.stored[id] = nil }
        func all() async throws -> [SavedLogin] { Array(self.stored.values) }
    }

    /// What the test says, and how the login ends.
    static let rows: [(tell: @Sendable (FakeServer) -> Void, status: String)] = [
        ({ $0.complete() }, "completed"), ({ $0.complete(provider: "mitid") }, "completed"),
        ({ $0.cancel() }, "cancelled"), ({ $0.fail() }, "failed"),
    ]

    @Test("a login ends as the test says", arguments: rows.indices) func aLoginEnds(_ index: Int) async throws {
        let server = FakeServer()
        let url = try #require(URL(string: "https://login.example"))
        let client = LoginClient(server: url, store: Logins(), dependencies: server.dependencies)
        let session = client.start(NewLogin(provider: "mitid", platform: .ios))
        for await state in session.states {
            if state.action?.kind == .openBrowser { Self.rows[index].tell(server) }
            guard state.kind == .finished else { continue }
            #expect(state.login?.status.code == Self.rows[index].status)
            #expect((state.login?.assertion != nil) == (Self.rows[index].status == "completed"))
            break
        }
        #expect(server.log == ["create mitid"])
        client.stop()
    }

    @Test("a code completes a login, and a server that is down does not") func aCodeCompletes() async throws {
        let server = FakeServer()
        let url = try #require(URL(string: "https://login.example"))
        let client = LoginClient(server: url, store: Logins(), dependencies: server.dependencies)
        #expect(try await client.providers().map(\.id) == ["mitid"])
        let session = client.start(NewLogin(provider: "mitid", platform: .ios))
        for await state in session.states {
            if state.action?.kind == .openBrowser { server.goDown() }
            if state.kind == .retrying {
                server.goDown(false)
                server.wantCode()
            }
            if state.action?.kind == .enterCode { session.enter(code: "123456") }
            if state.kind == .finished { break }
        }
        #expect(session.state?.login?.assertion?.exposed == "a.b.c")
        client.stop()
    }
}
