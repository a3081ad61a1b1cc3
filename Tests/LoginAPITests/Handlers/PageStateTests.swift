import HTTPWire
import TestSupport
import Testing

@testable import Logins

/// Tests what an open page learns, in one word, from the broker's response until the login is forgotten; and that the
/// page says the same.
@Suite(.blocking, .timeLimit(.minutes(1))) struct PageStateTests {
    enum Step: Sendable {
        /// The broker responds, and the code is redeemed.
        case finish
        /// The broker responds, but its token endpoint is slow.
        case hang
        case deny
        case bogusCode
        case wrongCodes
        case rightCode
        case pageLink
        case cancel
        /// The user asks the page for more time.
        case moreTime
        case delete
        case advance(seconds: Int)
    }

    struct Row: Sendable {
        let release: ReleasePolicy
        let steps: [Step]
        /// `404` if the page does not exist any more.
        let state: String
        let title: String
    }

    static func row(_ release: ReleasePolicy, _ steps: [Step], _ state: String, _ title: String) -> Row {
        Row(release: release, steps: steps, state: state, title: title)
    }

    static let day = 24 * 60 * 60
    static let rows = [
        row(.returnLink, [.hang], "exchanging", "One moment"),
        row(.returnLink, [.finish], "awaiting_return", "One step left"),
        row(.returnLink, [.finish, .advance(seconds: 239)], "awaiting_return", "One step left"),
        row(.returnLink, [.finish, .advance(seconds: 241)], "awaiting_return_ending", "One step left"),
        row(.returnLink, [.finish, .advance(seconds: 241), .moreTime], "awaiting_return", "One step left"),
        row(.returnLink, [.finish, .moreTime, .advance(seconds: 539)], "awaiting_return", "One step left"),
        row(.returnLink, [.finish, .moreTime, .advance(seconds: 541)], "awaiting_return_ending", "One step left"),
        row(
            .returnLink, [.finish, .moreTime, .advance(seconds: 541), .moreTime, .advance(seconds: 60)], "expired",
            "This login took too long"),
        row(.returnLink, [.finish, .advance(seconds: 301), .moreTime], "expired", "This login took too long"),
        row(.returnLink, [.finish, .wrongCodes, .moreTime, .advance(seconds: 301)], "code_used_up", "One step left"),
        row(.returnLink, [.finish, .moreTime, .advance(seconds: 301), .pageLink], "completed", "You are logged in"),
        row(.returnLink, [.finish, .pageLink, .moreTime], "completed", "You are logged in"),
        row(.code, [.finish, .wrongCodes, .moreTime, .advance(seconds: 301)], "expired", "This login took too long"),
        row(.returnLink, [.hang, .moreTime], "exchanging", "One moment"),
        row(.returnLink, [.finish, .advance(seconds: 301)], "expired", "This login took too long"),
        row(.returnLink, [.finish, .advance(seconds: 301), .delete], "expired", "This login took too long"),
        row(.returnLink, [.finish, .wrongCodes], "code_used_up", "One step left"),
        row(.returnLink, [.finish, .wrongCodes, .advance(seconds: 241)], "code_used_up_ending", "One step left"),
        row(.returnLink, [.finish, .wrongCodes, .pageLink], "completed", "You are logged in"),
        row(.returnLink, [.finish, .wrongCodes, .advance(seconds: 301)], "expired", "This login took too long"),
        row(.returnLink, [.finish, .pageLink], "completed", "You are logged in"),
        row(.returnLink, [.finish, .pageLink, .delete], "acknowledged", "You are logged in"),
        row(.returnLink, [.finish, .cancel], "cancelled", "The login was cancelled"),
        row(.returnLink, [.finish, .cancel, .delete], "cancelled", "The login was cancelled"),
        row(.code, [.finish], "awaiting_return", "One step left"),
        row(.code, [.finish, .wrongCodes], "code_used_up", "The code no longer works"),
        row(.code, [.finish, .rightCode], "completed", "You are logged in"),
        row(.immediate, [.finish], "completed", "You are logged in"),
        row(.immediate, [.finish, .delete], "acknowledged", "You are logged in"),
        row(.immediate, [.finish, .delete, .delete], "acknowledged", "You are logged in"),
        row(.immediate, [.finish, .advance(seconds: 601)], "over", "This login is no longer open"),
        row(.immediate, [.finish, .delete, .advance(seconds: day - 1)], "acknowledged", "You are logged in"),
        row(.immediate, [.finish, .delete, .advance(seconds: day)], "404", "No login is in progress"),
        row(.immediate, [.bogusCode], "failed", "You are not logged in"),
        row(.immediate, [.bogusCode, .delete], "failed", "You are not logged in"),
        row(.immediate, [.deny], "cancelled", "The login was cancelled"),
        row(.immediate, [.deny, .delete], "cancelled", "The login was cancelled"),
    ]

    @Test(arguments: rows) func `the page and its state say the same`(_ row: Row) async throws {
        var person = PagePerson(try HandlerBench(release: row.release))
        for step in row.steps { try await person.take(step) }
        let (bench, page) = (person.app.bench, person.page)
        defer { bench.provider.become(slow: false) }
        let shown = try await bench.send(.get, page)
        #expect(shown.text.contains("<h1>\(row.title)</h1>"))
        let told = try await bench.send(.get, "\(page)/state")
        guard row.state != "404" else {
            #expect(shown.status == .notFound && told.brief == "404 not_found")
            return
        }
        #expect(told.status == .ok && told.text == row.state)
        #expect(told.fields[.contentType] == "text/plain; charset=utf-8")
        #expect(told.fields[.cacheControl] == "no-store, no-transform" && told.fields[.setCookie] == nil)
        #expect(told.fields[.etag] == "\"\(row.state)\"")
        let isLast = ["acknowledged", "failed", "cancelled", "expired", "over"].contains(row.state)
        #expect(shown.text.contains("data-state=\"\(row.state)\"") == !isLast)
        #expect(try await bench.send(.head, "\(page)/state").status == .ok)
        let known = try await bench.send(.get, "\(page)/state", [.ifNoneMatch: "\"\(row.state)\""])
        #expect(known.status == .notModified && known.body.isEmpty)
    }

    /// This response does not reveal how to get a result.
    @Test(arguments: [ReleasePolicy.returnLink, .code])
    func `no response holds a proof`(_ release: ReleasePolicy) async throws {
        var person = PagePerson(try HandlerBench(release: release))
        try await person.take(.finish)
        let told = try await person.app.bench.send(.get, "\(person.page)/state")
        let all = told.text + told.fields.map { "\($0.name.rawValue): \($0.value)" }.joined()
        let code = try #require(try await person.code)
        for secret in [code, person.app.secret.loginID.description, person.app.secret.loginID.reference, "proof"] {
            #expect(!all.contains(secret))
        }
    }

    // MARK: - While it is open

    @Test(arguments: [
        (Step.wrongCodes, "code_used_up"), (.pageLink, "completed"), (.cancel, "cancelled"),
    ]) func `a waiting question is answered when the page changes`(_ step: Step, _ state: String) async throws {
        var person = PagePerson(try HandlerBench(release: .returnLink))
        try await person.take(.finish)
        let (bench, page) = (person.app.bench, person.page)
        let answers = Mailbox<Response>()
        Task {
            let fields: Fields = [.ifNoneMatch: "\"awaiting_return\"", .prefer: "wait=25"]
            answers.put(try await bench.send(.get, "\(page)/state", fields))
        }
        #expect(await bench.longPolls(1))
        try await person.take(step)
        #expect(await answers.next()?.text == state)
    }

    @Test func `an open page learns that the app has the login`() async throws {
        var person = PagePerson(try HandlerBench())
        try await person.take(.finish)
        let (bench, page) = (person.app.bench, person.page)
        let answers = Mailbox<Response>()
        Task {
            let fields: Fields = [.ifNoneMatch: "\"completed\"", .prefer: "wait=25"]
            answers.put(try await bench.send(.get, "\(page)/state", fields))
        }
        #expect(await bench.longPolls(1))
        try await person.take(.delete)
        #expect(await answers.next()?.text == "acknowledged")
        let text = try await bench.send(.get, page).text
        #expect(text.contains("Demo knows that you are logged in. You can close this page."))
    }

    /// The response in the first window belongs to another login, so the login takes it back. Then another window gets
    /// a response.
    @Test func `the login goes on in another window`() async throws {
        var person = PagePerson(try HandlerBench())
        try await person.take(.hang)
        let (app, page) = (person.app, person.page)
        let bench = app.bench
        defer { bench.provider.become(slow: false) }
        let given = try await bench.flow.repository.change(app.secret.loginID) { login, _ in
            login.revertExchange(fencingToken: 1)
        }
        #expect(given?.action == .ended)
        #expect(try await bench.send(.get, "\(page)/state").text == "open_elsewhere")
        #expect(try await bench.send(.get, page).status == .conflict)
        let second = try await app.finish()
        #expect(second != page)
        #expect(try await bench.send(.get, "\(page)/state").text == "continued_elsewhere")
        let shown = try await bench.send(.get, page)
        #expect(shown.text.contains("<h1>Your login moved to another window</h1>"))
        #expect(!shown.text.contains("href=\"https") && !shown.text.contains(app.secret.loginID.reference))
    }

    // MARK: - Limits

    /// Immediate responses have a limit for each page, whatever the request; another page has its own.
    @Test(
        arguments: [[:], [.prefer: "wait=25"], [.ifNoneMatch: "\"completed\""]] as [Fields])
    func `the questions of a page have a budget`(_ fields: Fields) async throws {
        var person = PagePerson(try HandlerBench())
        try await person.take(.finish)
        // Ten at once, and one more each second, however long the requests take here.
        let start = ContinuousClock.now
        var (answered, refused) = (0, try await person.app.bench.send(.get, "\(person.page)/state", fields))
        while refused.status != .tooManyRequests, answered < 1000 {
            answered += 1
            refused = try await person.app.bench.send(.get, "\(person.page)/state", fields)
        }
        #expect(refused.brief == "429 polling_too_fast" && refused.fields[.retryAfter] != nil)
        #expect(1...11 + Int(start.duration(to: .now).components.seconds) ~= answered)
        var other = PagePerson(person.app.bench)
        try await other.take(.finish)
        #expect(try await other.app.bench.send(.get, "\(other.page)/state").status == .ok)
        // The page itself and the app have no such limit.
        #expect(try await person.app.bench.send(.get, person.page).status == .ok)
        #expect(try await person.app.poll().status == .ok)
    }

    /// A user who asks for more time without script does not lose the page. Its own URL leads back, and the browser
    /// loads it by itself.
    @Test func `a form that comes too often leads back to its page`() async throws {
        var person = PagePerson(try HandlerBench())
        try await person.take(.finish)
        let bench = person.app.bench
        var last = try await bench.send(.post, person.page)
        for _ in 0..<1000 where last.status == .seeOther { last = try await bench.send(.post, person.page) }
        #expect(last.status == .tooManyRequests && last.fields[.refresh] == "10")
        #expect(last.text.contains("id=\"again\" class=\"button\" href=\"\""))
        #expect(try await bench.send(.get, person.page).status == .ok)
        bench.store.become(available: false)
        var other = try await bench.send(.post, person.page)
        for _ in 0..<1000 where other.status == .tooManyRequests {
            try await Task.sleep(for: .milliseconds(50))
            other = try await bench.send(.post, person.page)
        }
        #expect(other.status == .serviceUnavailable && other.fields[.refresh] == "10")
    }

    @Test func `a page is told when the store is back`() async throws {
        var person = PagePerson(try HandlerBench())
        try await person.take(.finish)
        person.app.bench.store.become(available: false)
        let told = try await person.app.bench.send(.get, "\(person.page)/state", [.prefer: "wait=25"])
        #expect(told.brief == "503 store_unavailable" && told.fields[.retryAfter] != nil)
        let shown = try await person.app.bench.send(.get, person.page)
        #expect(shown.status == .serviceUnavailable && shown.text.contains("data-state=\"unavailable\""))
    }
}
