import Foundation
import Testing

@testable import SwitchbackClient

/// The final state of a login: it is repeated, with a newly signed assertion, until the app has the result safe.
@Suite struct EndTests {
    private static func ended(_ assertion: String = "a.b.c") -> HTTPResponse {
        Example.login("completed", version: 3, more: ", \"assertion\": \"\(assertion)\"")
    }

    /// The assertions of the reported final states, in order.
    private static func told(_ bench: ReducerBench) -> [String?] {
        bench.told.compactMap { state -> String?? in
            guard case .finished(let login) = state.value else { return nil }
            return login.assertion?.exposed
        }
    }

    enum Asking: CaseIterable {
        case time, foreground, refresh

        func take(_ bench: inout ReducerBench) {
            switch self {
            case .time: bench.waitForWake()
            case .foreground:
                bench.say(.enteredBackground)
                bench.say(.enteredForeground)
            case .refresh: bench.say(.refreshRequested)
            }
        }
    }

    @Test("a final state is told again with a fresh assertion", arguments: Asking.allCases)
    func itIsToldAgainWithAFreshAssertion(_ asking: Asking) {
        var bench = Stage.polling.bench
        bench.answer(Self.ended("first"))
        #expect(bench.underWay.isEmpty, "not at once")
        for number in 1...4 {
            asking.take(&bench)
            #expect(bench.asked == "GET /ID")
            #expect(bench.request?.fields["If-None-Match"] == nil && bench.request?.fields["Prefer"] == nil)
            bench.answer(Self.ended("again \(number)"))
        }
        #expect(Self.told(bench) == ["first", "again 1", "again 2", "again 3", "again 4"])
        bench.say(.acknowledged)
        #expect(bench.asked == "DELETE /ID", "at once")
        bench.answer(HTTPResponse(status: 204))
        asking.take(&bench)
        #expect(bench.underWay.isEmpty && Self.told(bench).count == 5)
    }

    @Test("a final state is told less and less often") func lessAndLessOften() {
        var bench = Stage.polling.bench
        bench.answer(Self.ended())
        var pauses: [Double] = []
        for _ in 0..<5 {
            let before = bench.now
            bench.waitForWake()
            pauses.append(bench.now.secondsSince(before))
            bench.answer(Self.ended())
        }
        #expect(pauses == [15, 30, 60, 60, 60])
    }

    @Test("nothing is asked for while another app is in front") func notBehindAnotherApp() {
        var bench = Stage.completed.bench
        bench.say(.enteredBackground)
        bench.waitForWake()
        #expect(bench.underWay.isEmpty)
        bench.say(.refreshRequested)
        #expect(bench.underWay.isEmpty)
        bench.say(.enteredForeground)
        #expect(bench.asked == "GET /ID")
    }

    /// Responses while the result is requested again, and what the app is told of them.
    static let answers: [(answer: HTTPResponse?, told: LoginState?)] = [
        (nil, nil),
        (Example.problem(503, "store_unavailable"), nil),
        (Example.problem(429, "polling_too_fast", retryAfter: 2), nil),
        (Example.page(200), nil),
        (HTTPResponse(status: 304), nil),
        (Example.login("pending"), nil),
        (Example.login("failed", version: 4), nil),
        (Example.problem(410, "gone"), .failed(LoginError.gone.with(reference: "K7QX-2M4P"))),
        (Example.problem(404, "unknown_login"), .failed(LoginError.unknownLogin.with(reference: "K7QX-2M4P"))),
    ]

    @Test("each later response is told or ends the login", arguments: answers.indices)
    func whatElseMayCome(_ index: Int) {
        var bench = Stage.polling.bench
        bench.answer(Self.ended())
        bench.say(.refreshRequested)
        let count = bench.told.count
        if let answer = Self.answers[index].answer { bench.answer(answer) } else { bench.lose() }
        #expect(Array(bench.told.dropFirst(count)) == [Self.answers[index].told].compactMap(\.self))
        guard Self.answers[index].told == nil else { return #expect(bench.forgotten.count == 1) }
        bench.waitForWake()
        bench.answer(Self.ended("later"))
        #expect(Self.told(bench) == ["a.b.c", "later"])
    }

    @Test(
        "a refresh does nothing where nothing is repeated",
        arguments: [Stage.fresh, .polling, .acknowledging, .forgotten])
    func askedForInVain(_ stage: Stage) {
        var bench = stage.bench
        let told = bench.told
        #expect(bench.say(.refreshRequested) == [])
        #expect(bench.told == told)
    }
}
