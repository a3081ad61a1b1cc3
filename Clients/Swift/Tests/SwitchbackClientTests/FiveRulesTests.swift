/// The five rules, each as a short story.
import Foundation
import Testing

@testable import SwitchbackClient

@Suite struct FiveRulesTests {
    private static func polling() -> ReducerBench { Stage.polling.bench }

    // MARK: - Rule 1

    @Test func itIsStoredFirst() throws {
        var bench = ReducerBench()
        let effects = bench.say(.started)
        guard case .storeFirst(let record) = effects.first else {
            Issue.record("\(effects)")
            return
        }
        #expect(record.login == nil)
        #expect(bench.asked == "POST ")
        #expect(bench.body.contains(#""poll_secret":"\#(record.secret.exposed)""#))
        #expect(bench.told == [.starting])
    }

    @Test func whatIsNotStoredIsNotSent() {
        var bench = ReducerBench()
        bench.say(.started)
        bench.say(.storeFailed)
        #expect(bench.told.last == .failed(.notStored))
        #expect(bench.underWay.isEmpty)
    }

    /// The response was lost. The same bytes are sent again, so that it is the same login.
    @Test func aLostCreateIsRepeated() {
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

    @Test(arguments: [400, 404, 415, 422]) func aCreateThatIsRefusedEnds(_ status: Int) {
        var bench = ReducerBench()
        bench.say(.started)
        bench.answer(Example.problem(status, "unknown_provider"))
        guard case .failed(.refused(let problem)) = bench.told.last else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(problem.code == "unknown_provider")
        #expect(bench.forgotten.count == 1)
    }

    // MARK: - Rule 2

    @Test func theBrowserIsOpenedOnce() {
        var bench = ReducerBench()
        bench.say(.started)
        bench.answer(Example.login())
        guard case .openBrowser(let launch) = bench.action else {
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
        guard case .paused = next.told.last else {
            Issue.record("\(next.told)")
            return
        }
        next.say(.reopenRequested)
        #expect(next.action != nil)
    }

    static let actions: [(next: String, action: NextAction?)] = [
        (#"{"action": "wait"}"#, nil), (#"{"action": "sing"}"#, nil), ("{}", nil), ("null", nil), ("[1]", nil),
        (#"{"action": 1}"#, nil), (#"{"action": "open_browser"}"#, nil), (#"{"action": "open_app"}"#, nil),
        (#"{"action": "resume_browser"}"#, nil), (#"{"action": "show_browser", "new": 1}"#, .showBrowser),
        (#"{"action": "enter_code"}"#, .enterCode),
        (#"{"action": "resume_browser", "url": "https://b/"}"#, .resumeBrowser(url: "https://b/")),
    ]

    @Test(arguments: actions) func whatIsToDo(_ row: (next: String, action: NextAction?)) {
        var bench = Self.polling()
        bench.answer(Example.login("dreaming", version: 2, next: row.next))
        #expect(bench.action == row.action)
        #expect(bench.reducer.login?.status == .pending, "an unknown status")
        #expect(bench.asked == "GET /ID")
    }

    @Test(arguments: ["universal_link", "custom_scheme", "android_package", "store_url", "fallback"])
    func theEIDsAppIsOpened(_ name: String) {
        var bench = Self.polling()
        bench.answer(Example.login(version: 2, next: #"{"action": "open_app", "\#(name)": "there"}"#))
        guard case .openApp(let launch) = bench.action else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(launch.name == "there")
        // The user returned, but not by a link.
        bench.say(.enteredBackground)
        bench.say(.enteredForeground)
        #expect(bench.asked == "POST /ID/return")
        #expect(bench.body == #"{"url":null}"#)
    }

    // MARK: - Rule 3

    @Test func aLinkIsHandedInUnread() {
        var bench = Self.polling()
        bench.say(.linkOpened(Example.prefix + "?proof=x%20y#z"))
        #expect(bench.asked == "POST /ID/return", "the poll gives way")
        #expect(bench.body == #"{"url":"\#(Example.prefix)?proof=x%20y#z"}"#)
        bench.answer(Example.login("completed", version: 3))
        #expect(bench.told.last?.isFinal == true)
    }

    /// The link may contain the only copy of the broker's code.
    @Test func aLinkSurvivesTheApp() throws {
        var bench = Self.polling()
        bench.say(.linkOpened(Example.prefix + "?code=c"))
        #expect(bench.say(.linkOpened(Example.prefix + "?code=c")) == [], "twice, as links do")
        var next = ReducerBench(try #require(bench.stored.last))
        next.say(.resumed)
        #expect(next.body == #"{"url":"\#(Example.prefix)?code=c"}"#)
        var pending = next
        pending.answer(Example.login())
        #expect(Self.word(pending.told.last) == "paused", "the browser may be gone with the app")
        next.answer(Example.problem(422, "not_ours"))
        #expect(next.stored.last?.links == [])
        #expect(next.asked == "GET /ID")
    }

    static let foreign = [
        "", "https://app.example/r", "HTTPS://app.example/r/", "https://app.example.evil/r/", "https://app.example/s/",
        "app://r/", " https://app.example/r/",
    ]

    @Test(arguments: foreign) func aLinkOfNoLoginIsNotForwarded(_ link: String) {
        var bench = Self.polling()
        #expect(bench.say(.linkOpened(link)) == [])
        #expect(bench.asked == "GET /ID")
    }

    /// The user is sent back to the browser each time the app was opened.
    @Test func theBrowserIsResumedEachTime() {
        let resume = #"{"action": "resume_browser", "url": "https://b/"}"#
        var bench = Self.polling()
        for _ in 0..<2 {
            bench.say(.linkOpened(Example.prefix))
            bench.answer(Example.login(version: 2, next: resume))
            #expect(bench.action == .resumeBrowser(url: "https://b/"))
            bench.answer(Example.login(version: 2, next: resume))
        }
        #expect(bench.told.count == 4)
    }

    @Test func aWrongCodeIsAskedForAgain() {
        var bench = Stage.awaitingCode.bench
        bench.say(.codeEntered("12 34 56"))
        #expect(bench.body == #"{"code":"12 34 56"}"#, "as it was typed")
        bench.answer(Example.problem(422, "wrong_code", more: #", "tries_left": 2"#))
        guard case .wrongCode(triesLeft: 2, _) = bench.told.last else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(bench.asked == "GET /ID")
    }

    // MARK: - Rule 4

    @Test func aPollIsHeldWithTheLastVersion() {
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
    @Test(arguments: ["W/\"2-gzip\"", "\"2--gzip\"", "\"x\"", nil]) func theValidatorIsTheVersionOfTheBody(
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
    @Test func answersThatComeTooSoonAreSlowedDown() {
        var bench = Self.polling()
        bench.answer(HTTPResponse(status: 304))
        #expect(bench.asked == nil)
        #expect(bench.wake?.secondsSince(bench.now) == 2)
        bench.waitForWake()
        #expect(bench.asked == "GET /ID")
    }

    @Test func inTheBackgroundNobodyPolls() {
        var bench = Self.polling()
        bench.say(.enteredBackground)
        #expect(bench.underWay.isEmpty)
        bench.say(.timerFired)
        #expect(bench.underWay.isEmpty)
        bench.say(.enteredForeground)
        #expect(bench.asked == "GET /ID")
    }

    @Test func theForegroundWaitsForNothing() {
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

    // MARK: - Rule 5

    /// What the server says after a browser was reported as closed, and what the app is told.
    static let closings: [(status: String, next: String, told: String)] = [
        ("pending", Example.openBrowser, "paused"),
        ("pending", #"{"action": "open_browser", "url": "https://login.example/go/another"}"#, "paused"),
        ("pending", #"{"action": "open_app", "universal_link": "https://e.example/"}"#, "paused"),
        ("pending", #"{"action": "resume_browser", "url": "https://b/"}"#, "resumeBrowser"),
        ("exchanging", #"{"action": "wait"}"#, "nothing"),
        ("awaiting_return", #"{"action": "enter_code"}"#, "enterCode"),
        ("awaiting_return", #"{"action": "show_browser"}"#, "showBrowser"),
        ("completed", "null", "ended"), ("cancelled", "null", "ended"),
    ]

    private static func word(_ state: LoginState?) -> String {
        switch state {
        case .inProgress(_, let action?): "\(action)".prefix { $0.isLetter }.description
        case .inProgress(_, nil): "nothing"
        case .paused: "paused"
        case .finished: "ended"
        case .starting, .wrongCode, .retrying, .failed, nil: "\(String(describing: state))"
        }
    }

    @Test(arguments: closings) func aClosedBrowserIsReported(_ row: (status: String, next: String, told: String)) {
        var bench = Self.polling()
        bench.say(.browserClosed)
        #expect(bench.asked == "POST /ID/return")
        #expect(bench.body == #"{"url":null}"#)
        #expect(bench.say(.browserClosed) == [], "once is enough")
        bench.answer(Example.login(row.status, version: 2, next: row.next))
        #expect(Self.word(bench.told.last) == row.told)
        guard row.told != "ended" else { return }
        #expect(bench.asked == "GET /ID")
        bench.answer(Example.login(row.status, version: 2, next: row.next))
        #expect(Self.word(bench.told.last) == row.told, "a poll opens nothing by itself")
        bench.waitForWake()
        bench.answer(Example.login("completed", version: 3))
        #expect(Self.word(bench.told.last) == "ended", "a browser that was there after all")
    }

    /// The app offers it each time, because the phone may be wrong each time.
    @Test func whoComesBackAgainIsAskedAgain() {
        var bench = Stage.paused.bench
        for _ in 0..<3 {
            let told = bench.told.count
            bench.say(.reopenRequested)
            #expect(bench.action.map { "\($0)".hasPrefix("openBrowser") } == true)
            bench.say(.browserClosed)
            bench.answer(Example.login(version: 2))
            #expect(bench.told.count == told + 2)
            #expect(Self.word(bench.told.last) == "paused")
        }
        #expect(bench.reducer.record.opened == [Example.go])
        bench.say(.cancelled)
        #expect(bench.asked == "POST /ID/cancel", "the person's own word")
        #expect(bench.request?.fields["Prefer"] == "wait=5")
    }

    private static func openApp(_ link: String) -> String {
        #"{"action": "open_app", "universal_link": "\#(link)"}"#
    }

    private static func opened(_ bench: ReducerBench) -> String? {
        guard case .openApp(let launch)? = bench.action else { return nil }
        return launch.universalLink
    }

    /// The link may be too old when the user presses "Continue", so the server is asked first.
    @Test(arguments: ["https://e.example/", "https://e.example/fresh"])
    func theEIDsAppIsOpenedAgainByTheLinkOfTheAnswer(_ link: String) {
        var bench = Stage.appOpened.bench
        bench.say(.browserClosed)
        bench.answer(Example.login(version: 2, next: Self.openApp("https://e.example/")))
        #expect(Self.word(bench.told.last) == "paused")
        bench.say(.reopenRequested)
        #expect(bench.asked == "POST /ID/return")
        #expect(bench.body == #"{"url":null}"#)
        bench.answer(Example.login(version: 3, next: Self.openApp(link)))
        #expect(Self.opened(bench) == link)
        bench.say(.browserClosed)
        bench.answer(Example.login(version: 4, next: Self.openApp("https://e.example/third")))
        #expect(Self.word(bench.told.last) == "paused", "once for each time that the person says so")
    }

    /// There is no link any more, and the user sees that.
    @Test func theEIDsAppThatCannotBeOpenedAgain() {
        var bench = Stage.appOpened.bench
        bench.say(.reopenRequested)
        bench.answer(Example.login(version: 3, next: #"{"action": "wait"}"#))
        #expect(Self.word(bench.told.last) == "nothing")
        bench.say(.browserClosed)
        bench.answer(Example.login(version: 4, next: Self.openApp("https://e.example/")))
        #expect(Self.word(bench.told.last) == "paused", "what was asked for before is over")
    }

    /// A new link does not send the user back to the e-ID's app after they pressed Cancel there.
    @Test func aLinkWithoutAnAnswerOpensNothing() {
        var bench = Stage.appOpened.bench
        bench.say(.linkOpened(Example.prefix + "?x"))
        bench.answer(Example.login(version: 3, next: Self.openApp("https://e.example/fresh")))
        #expect(Self.word(bench.told.last) == "paused")
        #expect(bench.asked == "GET /ID")
        bench.answer(Example.login(version: 3, next: Self.openApp("https://e.example/fresh")))
        #expect(Self.word(bench.told.last) == "paused")
    }

    /// The page is reopened by a URL, and only when the user asks for it.
    @Test(arguments: ["show_browser", "enter_code"]) func thePageIsShownAgain(_ action: String) throws {
        var bench = Self.polling()
        let next = #"{"action": "\#(action)", "url": "https://login.example/go/page", "surfaces": ["tab"]}"#
        bench.answer(Example.login("awaiting_return", version: 2, next: next))
        #expect(bench.action == (action == "enter_code" ? .enterCode : .showBrowser))
        bench.say(.reopenRequested)
        guard case .openBrowser(let launch) = bench.action else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(launch.url == "https://login.example/go/page")
        #expect(launch.surfaces == [.tab])
    }

    /// A browser inside the app may be on top of it; the system's browser cannot be.
    @Test(arguments: Surface.allCases) func theForegroundWithoutALink(_ surface: Surface) {
        var bench = ReducerBench(Example.record(surface: surface))
        bench.say(.started)
        bench.answer(Example.login())
        bench.say(.enteredBackground)
        bench.say(.enteredForeground)
        #expect(bench.asked == (surface == .system ? "POST /ID/return" : "GET /ID"))
    }

    @Test func whoGivesUpIsNotSentAway() {
        var bench = ReducerBench()
        bench.say(.started)
        bench.say(.cancelled)
        bench.answer(Example.login())
        #expect(bench.action == nil)
        #expect(bench.asked == "POST /ID/cancel")
    }

    @Test func aSafeResultIsAcknowledgedAndForgotten() {
        var bench = Stage.completed.bench
        #expect(bench.underWay.isEmpty, "an end is not polled")
        bench.say(.acknowledged)
        #expect(bench.stored.last?.isAcknowledged == true)
        #expect(bench.asked == "DELETE /ID")
        bench.lose()
        bench.waitForWake()
        #expect(bench.asked == "DELETE /ID")
        let told = bench.told
        bench.answer(HTTPResponse(status: 204))
        #expect(bench.forgotten.count == 1)
        #expect(bench.told == told)
    }

    /// The app was killed after it had stored the acknowledgement, and before the server had it.
    @Test func aNewStartAcknowledgesWhatWasSafe() {
        var bench = Stage.resumedAcknowledged.bench
        #expect(bench.told == [])
        #expect(bench.asked == "DELETE /ID")
        #expect(bench.say(.linkOpened(Example.prefix)) == [])
        #expect(bench.say(.cancelled) == [])
        bench.answer(Example.problem(410, "gone"))
        #expect(bench.forgotten.count == 1)
        #expect(bench.told == [])
    }
}
