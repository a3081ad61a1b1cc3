import HTTPWire
import Logins
import Testing
import Traces

@testable import LoginAPI

/// The work that was bound when a response was reported: the log writes its ids into the line.
struct ReportedWork: Sendable {
    let isOfRequest: Bool
    let login: LoginID?

    init(of request: CompletedRequest) {
        self.isOfRequest = WorkContext.current?.requestID == request.id
        self.login = WorkContext.current?.login?.login
    }
}

/// Each request is reported as its own work, with the login that it was about, whether or not it has waited.
@Suite(.timeLimit(.minutes(1))) struct RequestWorkTests {
    private static func check(_ bench: HandlerBench, _ login: LoginID?, _ request: String) async throws {
        let work = try #require(await bench.works.next())
        #expect(work.isOfRequest, "\(request)")
        #expect(work.login == login, "\(request)")
    }

    @Test func `a request of a login is reported with it`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let login = app.secret.loginID
        _ = try await app.create()
        try await Self.check(app.bench, login, "create")
        _ = try await app.poll()
        try await Self.check(app.bench, login, "poll")
        _ = try await app.post("cancel")
        try await Self.check(app.bench, login, "cancel")
        _ = try await app.delete()
        try await Self.check(app.bench, login, "delete")
    }

    @Test func `a poll that has waited is reported with its login`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        _ = try await app.create()
        try await Self.check(app.bench, app.secret.loginID, "create")
        async let held = app.poll(LongPollTests.known)
        #expect(await app.bench.longPolls(1))
        _ = try await app.post("cancel")
        _ = try await held
        // The cancellation and the poll, in either order.
        for _ in 0..<2 { try await Self.check(app.bench, app.secret.loginID, "a poll or its cancel") }
    }

    @Test func `a page that may change is reported with its login`() async throws {
        let app = BenchApp(bench: try HandlerBench())
        let page = try await app.finish()
        _ = try await app.bench.send(.get, page)
        // The create, the link, the callback and the page.
        let works = await app.bench.works.take(4)
        #expect(works.map(\.isOfRequest) == [true, true, true, true])
        #expect(works.map(\.login) == Array(repeating: app.secret.loginID, count: 4))
    }

    @Test func `a request of no login is reported as its own work`() async throws {
        let bench = try HandlerBench()
        for target in ["/v1/providers", "/robots.txt", "/nothing", "/v1/logins/nothing"] {
            _ = try await bench.send(.get, target)
            try await Self.check(bench, nil, target)
        }
    }
}
