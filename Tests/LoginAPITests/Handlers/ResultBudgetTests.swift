import HTTPWire
import Logins
import Testing

@testable import LoginAPI

/// Every response with a result is counted, whatever request it answers: each costs a signature and a line in the log.
@Suite(.timeLimit(.minutes(1))) struct ResultBudgetTests {
    struct Request: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let send: @Sendable (BenchApp) async throws -> Response
    }

    static let requests: [Request] = [
        Request(testDescription: "GET") { try await $0.poll() },
        Request(testDescription: "GET with wait") { try await $0.poll([.prefer: "wait=1"]) },
        Request(testDescription: "GET with an old version") { try await $0.poll([.ifNoneMatch: "W/\"0\""]) },
        Request(testDescription: "GET of a stream") { try await $0.poll([.accept: "text/event-stream"]) },
        Request(testDescription: "return without a link") { try await $0.post("return", body: "{\"url\": null}") },
        Request(testDescription: "return with a code") { try await $0.post("return", body: "{\"code\": \"123456\"}") },
        Request(testDescription: "cancel") { try await $0.post("cancel") },
        Request(testDescription: "cancel with wait") { try await $0.post("cancel", [.prefer: "wait=1"]) },
        Request(testDescription: "create") { try await $0.create() },
    ]

    private static func completed() async throws -> BenchApp {
        let bench = try HandlerBench { $0.rates.poll = Rate(burst: 5, interval: .seconds(3600)) }
        let app = BenchApp(bench: bench)
        try await app.finish()
        for _ in 0..<1000 {
            let view = try await bench.flow.loadView(app.secret.loginID, secret: app.secret)
            if view.result != nil { return app }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Problem(.notFinal)
    }

    @Test(arguments: Self.requests)
    func `each kind of response with a result has a budget`(_ request: Request) async throws {
        let app = try await Self.completed()
        for number in 0..<20 {
            let answer = try await request.send(app)
            if number < 5 {
                #expect(answer.status == .ok)
            } else {
                #expect(answer.brief == "429 polling_too_fast" && answer.fields[.retryAfter] != nil)
            }
        }
    }

    /// A phone that has polled too often still gets the result that its code has released.
    @Test func `polls without a result use none of it`() throws {
        var rates = RequestLimits.Rates()
        rates.poll = Rate(burst: 5, interval: .seconds(3600))
        let (limits, login) = (RequestLimits(rates), PollSecret.make().loginID)
        for _ in 0..<5 { try limits.takePoll(of: login, at: .zero) }
        #expect(throws: Problem.self) { try limits.takePoll(of: login, at: .zero) }
        for _ in 0..<5 { try limits.takeResult(of: login, at: .zero) }
        #expect(throws: Problem.self) { try limits.takeResult(of: login, at: .zero) }
    }

    /// They share one budget.
    @Test func `all kinds share one budget`() async throws {
        let app = try await Self.completed()
        var results = 0
        for request in Self.requests + Self.requests where try await request.send(app).status == .ok { results += 1 }
        #expect(results == 5)
    }
}
