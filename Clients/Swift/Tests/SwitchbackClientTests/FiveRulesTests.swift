import Foundation
import Testing

@testable import SwitchbackClient

/// The five rules, each as a short story.
@Suite struct FiveRulesTests {
    private static func polling() -> ReducerBench { Stage.polling.bench }

    // MARK: - Rule 1

    @Test("a login is stored before it is created") func itIsStoredFirst() throws {
        var bench = ReducerBench()
        let effects = bench.say(.started)
        guard case .storeFirst(let record) = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(record.login == nil)
        #expect(bench.asked == "POST ")
        #expect(bench.body.contains(#""poll_secret":"\#(record.secret.exposed)""#))
        #expect(bench.body.contains(#""actions":["open_browser","resume_browser""#))
        // A request that an earlier version stored is repeated as it was.
        #expect(try JSONDecoder().decode(NewLogin.self, from: Data(#"{"provider": "eid"}"#.utf8)).actions == nil)
        #expect(bench.told == [.starting])
    }

    /// The app may be killed before the create has a response, and a repeated create has the same body.
    @Test("a replaced login is stored and sent, and not printed") func aReplacedLoginIsStoredAndSent() throws {
        var request = NewLogin(provider: "vipps", platform: .ios)
        let (former, secret) = (PollSecret { 7 }, PollSecret { 8 })
        request.replaces = former
        let record = SavedLogin(request, secret: secret, startedAt: Date(timeIntervalSince1970: 1_800_000_000))
        var bench = ReducerBench(record)
        bench.say(.started)
        let body = bench.body
        #expect(body.contains(#""replaces":"\#(former.exposed)""#))
        let stored = try JSONDecoder().decode(SavedLogin.self, from: try JSONEncoder().encode(record))
        #expect(stored == record)
        var resumed = ReducerBench(stored)
        resumed.say(.resumed)
        #expect(resumed.body == body)
        // An app may write a request into its own log or store.
        #expect(!String(decoding: try JSONEncoder().encode(request), as: UTF8.self).contains(former.exposed))
        var text = "\(request)"
        dump(request, to: &text)
        #expect(!text.contains(former.exposed))
    }

    @Test("a login that replaces none says nothing of it") func aLoginThatReplacesNone() throws {
        var bench = ReducerBench()
        bench.say(.started)
        #expect(!bench.body.contains("replaces"))
    }

    @Test("what is not stored is not sent") func whatIsNotStoredIsNotSent() {
        var bench = ReducerBench()
        bench.say(.started)
        bench.say(.storeFailed)
        #expect(bench.told.last == .failed(.notStored))
        #expect(bench.underWay.isEmpty)
    }

    /// The response was lost. The same bytes are sent again, so that it is the same login.
    @Test("a lost create is repeated") func aLostCreateIsRepeated() {
        var bench = ReducerBench()
        bench.say(.started)
        let first = bench.request
        bench.lose()
        #expect(bench.told.last == .retrying(.noResponse, nil))
        bench.waitForWake()
        #expect(bench.request == first)
        bench.answer(Example.login())
        #expect(bench.stored.last?.login == Example.id)
        #expect(bench.asked == "GET /ID")
    }

    @Test("a create that is refused ends", arguments: [400, 404, 415, 422])
    func aCreateThatIsRefusedEnds(_ status: Int) {
        var bench = ReducerBench()
        bench.say(.started)
        bench.answer(Example.problem(status, "unknown_provider"))
        guard let problem = bench.told.last?.error?.problem else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(problem.code == "unknown_provider")
        #expect(bench.forgotten.count == 1)
    }

    // MARK: - Rule 2

    @Test("the browser is opened once") func theBrowserIsOpenedOnce() {
        var bench = ReducerBench()
        bench.say(.started)
        bench.answer(Example.login())
        guard case .openBrowser(let launch)? = bench.action?.value else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(launch.url == Example.go)
        #expect(launch.surfaces == [.authSession, .tab])
        bench.answer(Example.login(version: 2))
        #expect(bench.action == nil, "a new version with the same to do")

        // The app was killed, but the browser may still be open.
        let record = bench.stored.last ?? Example.record()
        var next = ReducerBench(record)
        next.say(.resumed)
        #expect(next.body == #"{"url":null}"#, "how it stands, at once")
        next.answer(Example.login(version: 2))
        guard next.told.last?.kind == .paused else {
            Issue.record("\(next.told)")
            return
        }
        next.say(.reopenRequested)
        #expect(next.action != nil)
    }

    private static func resumed(_ members: [String: JSONValue] = [:]) -> NextAction? {
        BrowserLaunch(.object(members.merging(["url": .string("https://b/")]) { $1 })).map { .resumeBrowser($0) }
    }

    static let actions: [(next: String, action: NextAction?)] = [
        (#"{"action": "wait"}"#, nil), (#"{"action": "sing"}"#, nil), ("{}", nil), ("null", nil), ("[1]", nil),
        (#"{"action": 1}"#, nil), (#"{"action": "open_browser"}"#, nil), (#"{"action": "open_app"}"#, nil),
        (#"{"action": "resume_browser"}"#, nil), (#"{"action": "open_browser", "url": "no link"}"#, nil),
        (#"{"action": "resume_browser", "url": ""}"#, nil), (#"{"action": "resume_browser", "url": "https://["}"#, nil),
        (#"{"action": "open_app", "universal_link": "no link", "fallback": "://"}"#, nil),
        (#"{"action": "show_browser", "new": 1}"#, .showBrowser),
        (#"{"action": "enter_code"}"#, .enterCode),
        (#"{"action": "resume_browser", "url": "https://b/"}"#, Self.resumed()),
        // Where it was opened: an auth session has cookies of its own.
        (
            #"{"action": "resume_browser", "url": "https://b/", "surfaces": ["tab"], "callback": "https://a/r/"}"#,
            Self.resumed(["surfaces": .array([.string("tab")]), "callback": .string("https://a/r/")])
        ),
    ]

    @Test("each next action says what the app has to do", arguments: actions)
    func whatIsToDo(_ row: (next: String, action: NextAction?)) {
        var bench = Self.polling()
        bench.answer(Example.login("dreaming", version: 2, next: row.next))
        #expect(bench.action == row.action)
        #expect(bench.reducer.login?.status == .pending, "an unknown status")
        #expect(bench.asked == "GET /ID")
    }

    @Test("a login with an unknown status is over when it is final") func anUnknownFinalStatus() {
        var bench = Self.polling()
        bench.answer(Example.login("dreaming", version: 2, more: #", "reason": {"code": "new"}"#))
        #expect(bench.told.last?.isFinal != true)
        let body = String(decoding: Example.login("dreaming", version: 3).body, as: UTF8.self)
            .replacingOccurrences(of: #""final": false"#, with: #""final": true"#)
        bench.waitForWake()
        bench.answer(
            HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Data(body.utf8)))
        #expect(bench.told.last?.login?.status == .failed)
        #expect(bench.told.last?.isFinal == true)
        #expect(bench.underWay.isEmpty, "a final login is not polled")
    }

    @Test(
        "the e-ID's app is opened",
        arguments: ["universal_link", "custom_scheme", "android_package", "store_url", "fallback"])
    func theEIDsAppIsOpened(_ name: String) {
        var bench = Self.polling()
        bench.answer(Example.login(version: 2, next: #"{"action": "open_app", "\#(name)": "e:there%2F"}"#))
        guard let launch = bench.action?.app else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(launch.name == "e:there%2F", "as it came")
        // The user returned, but not by a link.
        bench.say(.enteredBackground)
        bench.say(.enteredForeground)
        #expect(bench.asked == "POST /ID/return")
        #expect(bench.body == #"{"url":null}"#)
    }

    // MARK: - Rule 3

    @Test("a link is handed in unread") func aLinkIsHandedInUnread() {
        var bench = Self.polling()
        bench.say(.linkOpened(Example.prefix + "?proof=x%20y#z"))
        #expect(bench.asked == "POST /ID/return", "the poll gives way")
        #expect(bench.body == #"{"url":"\#(Example.prefix)?proof=x%20y#z"}"#)
        bench.answer(Example.login("completed", version: 3))
        #expect(bench.told.last?.isFinal == true)
    }

    /// The link may contain the only copy of the broker's code.
    @Test("a link survives the app") func aLinkSurvivesTheApp() throws {
        var bench = Self.polling()
        bench.say(.linkOpened(Example.prefix + "?code=c"))
        #expect(bench.say(.linkOpened(Example.prefix + "?code=c")) == [], "twice, as links do")
        var next = ReducerBench(try #require(bench.stored.last))
        next.say(.resumed)
        #expect(next.body == #"{"url":"\#(Example.prefix)?code=c"}"#)
        var pending = next
        pending.answer(Example.login())
        #expect(LoginState.word(pending.told.last) == "paused", "the browser may be gone with the app")
        next.answer(Example.problem(422, "not_ours"))
        #expect(next.stored.last?.links == [])
        #expect(next.asked == "GET /ID")
    }

    static let foreign = [
        "", "https://app.example/r", "HTTPS://app.example/r/", "https://app.example.evil/r/", "https://app.example/s/",
        "app://r/", " https://app.example/r/",
    ]

    @Test("a link of no login is not forwarded", arguments: foreign) func aLinkOfNoLoginIsNotForwarded(_ link: String) {
        var bench = Self.polling()
        #expect(bench.say(.linkOpened(link)) == [])
        #expect(bench.asked == "GET /ID")
    }

    /// The user is sent back to the browser each time the app was opened.
    @Test("the browser is resumed each time") func theBrowserIsResumedEachTime() {
        let resume = #"{"action": "resume_browser", "url": "https://b/"}"#
        var bench = Self.polling()
        for _ in 0..<2 {
            bench.say(.linkOpened(Example.prefix))
            bench.answer(Example.login(version: 2, next: resume))
            #expect(bench.action == Self.resumed())
            bench.answer(Example.login(version: 2, next: resume))
        }
        #expect(bench.told.count == 4)
    }

    @Test("after a wrong code the user is asked again") func aWrongCodeIsAskedForAgain() {
        var bench = Stage.awaitingCode.bench
        bench.say(.codeEntered("12 34 56"))
        #expect(bench.body == #"{"code":"12 34 56"}"#, "as it was typed")
        bench.answer(Example.problem(422, "wrong_code", more: #", "tries_left": 2"#))
        guard bench.told.last?.triesLeft == 2 else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(bench.asked == "GET /ID")
    }

    // MARK: - Rule 4

    @Test("a poll waits with the last version") func aPollIsHeldWithTheLastVersion() {
        var bench = Self.polling()
        #expect(bench.request?.fields["Prefer"] == "wait=25")
        #expect(bench.request?.fields["If-None-Match"] == "W/\"1\"")
        #expect(bench.request?.fields["Authorization"] == "Bearer \(bench.reducer.record.secret.exposed)")
        bench.now = MonotonicInstant(seconds: bench.now.seconds + 25)
        bench.answer(HTTPResponse(status: 304))
        #expect(bench.asked == "GET /ID")
        bench.answer(Example.login("exchanging", version: 2, next: #"{"action": "wait"}"#))
        #expect(bench.request?.fields["If-None-Match"] == "W/\"2\"")
    }

    /// A proxy that compresses may change the ETag, so the validator comes from the body.
    @Test("the validator is the version of the body", arguments: ["W/\"2-gzip\"", "\"2--gzip\"", "\"x\"", nil])
    func theValidatorIsTheVersionOfTheBody(
        _ etag: String?
    ) {
        var bench = Self.polling()
        let fields = ["Content-Type": "application/json", "ETag": etag].compactMapValues { $0 }
        let body = Example.login("exchanging", version: 2, next: #"{"action": "wait"}"#).body
        bench.answer(HTTPResponse(status: 200, fields: fields, body: body))
        #expect(bench.request?.fields["If-None-Match"] == "W/\"2\"")
        #expect(bench.request?.fields["Prefer"] == "wait=25")
    }

    /// A server or proxy that does not hold long polls is not polled again at once.
    @Test("responses that come too soon slow the polls down") func answersThatComeTooSoonAreSlowedDown() {
        var bench = Self.polling()
        bench.answer(HTTPResponse(status: 304))
        #expect(bench.asked == nil)
        #expect(bench.wake?.secondsSince(bench.now) == 2)
        bench.waitForWake()
        #expect(bench.asked == "GET /ID")
    }

    @Test("in the background nobody polls") func inTheBackgroundNobodyPolls() {
        var bench = Self.polling()
        bench.say(.enteredBackground)
        #expect(bench.underWay.isEmpty)
        bench.say(.timerFired)
        #expect(bench.underWay.isEmpty)
        bench.say(.enteredForeground)
        #expect(bench.asked == "GET /ID")
    }

    @Test("an app in the foreground waits for nothing") func theForegroundWaitsForNothing() {
        var bench = Self.polling()
        for _ in 0..<6 {
            bench.lose(jitter: 1)
            bench.waitForWake()
        }
        bench.lose(jitter: 1)
        #expect(bench.asked == nil)
        bench.say(.enteredForeground)
        #expect(bench.asked == "GET /ID")
    }
}
