import Foundation
import Testing

@testable import SwitchbackClient

/// What the app and the server learn about the library: events, the reference, and `User-Agent`.
@Suite struct LogTests {
    private actor NoLogins: SavedLoginStore {
        func save(_ login: SavedLogin) async throws {}
        func remove(_ id: SavedLogin.ID) async throws {}
        func all() async throws -> [SavedLogin] { [] }
    }

    private static func requests(_ answers: [HTTPResponse]) async -> (
        requests: [HTTPRequest], events: [LogEvent], secret: PollSecret
    ) {
        let (requests, events, rest) = (Locked<[HTTPRequest]>([]), Locked<[LogEvent]>([]), Locked(answers))
        var dependencies = LoginClientDependencies { request in
            requests.withLock { $0.append(request) }
            return rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
        dependencies.log = { event in events.withLock { $0.append(event) } }
        dependencies.sleep = { _ in await Task.yield() }
        // Each look at the clock is ten seconds later, so nothing waits for real.
        let now = Locked(0.0)
        dependencies.now = {
            MonotonicInstant(
                seconds: now.withLock { now in
                    now += 10
                    return now
                })
        }
        let client = LoginClient(server: Example.server, store: NoLogins(), dependencies: dependencies)
        let session = client.start(NewLogin(provider: "mitid"))
        for await state in session.states where state.isFinal { break }
        session.acknowledge()
        while events.withLock({ events in !events.contains { $0.attributes["call"] == "acknowledge" } }) {
            guard session.state?.kind == .finished else { break }
            await Task.yield()
        }
        client.stop()
        return (requests.withLock { $0 }, events.withLock { $0 }, session.secret)
    }

    @Test("the log tells a login from its create to its end, without its secrets") func aLoginIsTold() async {
        let unreadable = Example.login(version: 2, next: #"{"action": "open_browser", "url": "no link"}"#)
        let identity = #", "assertion": "a.b.c", "identity": {"subject": "s", "name": "Freja"}"#
        let completed = Example.login("completed", version: 3, more: identity)
        let (_, events, secret) = await Self.requests([
            Example.login(), unreadable, completed, HTTPResponse(status: 204),
        ])
        let lines = events.map(\.description)
        #expect(lines.first == "login_state state=starting")
        for line in [
            "request call=create status=200",
            "login_state reference=K7QX-2M4P action=open_browser state=in_progress status=pending",
            "request reference=K7QX-2M4P call=poll status=200", "unreadable_url reference=K7QX-2M4P",
            "login_state reference=K7QX-2M4P state=finished status=completed",
            "request reference=K7QX-2M4P call=acknowledge status=204",
        ] { #expect(lines.contains(line), "\(line)") }
        for text in [secret.exposed, "a.b.c", "Freja", Example.id, Example.go] {
            #expect(!lines.joined().contains(text), "\(text)")
        }
    }

    @Test("each failure has the login's reference") func eachFailureHasTheReference() async {
        let (_, events, _) = await Self.requests([Example.login(), Example.problem(410, "gone")])
        let last = events.last { $0.name == .loginState }
        #expect(last?.description == "login_state reference=K7QX-2M4P error=gone state=failed")
        var bench = ReducerBench(Example.record(login: Example.id))
        bench.reducer.record.reference = "K7QX-2M4P"
        bench.say(.resumed)
        bench.answer(Example.problem(404, "unknown_login"))
        #expect(bench.told.last?.reference == "K7QX-2M4P", "also after a kill")
    }

    @Test("each request names the library") func eachRequestNamesTheLibrary() async {
        let (sentRequests, _, _) = await Self.requests([Example.login("completed", version: 3)])
        #expect(!sentRequests.isEmpty)
        for request in sentRequests { #expect(request.fields["User-Agent"] == ClientVersion.userAgent) }
        #expect(ClientVersion.userAgent.hasPrefix("switchback-swift/\(ClientVersion.number) ("))
    }

    static let agents: [(app: String?, version: String?, text: String)] = [
        (nil, nil, "(ios 17.5)"), (nil, "4.2", "(ios 17.5)"), ("com.example.shop", nil, "(ios 17.5; com.example.shop)"),
        ("com.example.shop", "4.2", "(ios 17.5; com.example.shop 4.2)"),
        ("a\r\nX: y", "é)(", "(ios 17.5; a_X_ y ___)"),
    ]

    @Test("User-Agent has plain characters only", arguments: agents)
    func userAgentIsPlain(_ row: (app: String?, version: String?, text: String)) {
        let userAgent = ClientVersion.userAgent(system: "ios 17.5", app: row.app, version: row.version)
        #expect(userAgent == "switchback-swift/\(ClientVersion.number) \(row.text)")
    }
}
