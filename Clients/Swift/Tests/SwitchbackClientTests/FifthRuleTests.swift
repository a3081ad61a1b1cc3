import Foundation
import Testing

@testable import SwitchbackClient

/// The fifth rule: a browser that closes or a link that comes is reported, and the server says what is next.
@Suite struct FifthRuleTests {
    /// What the server says after a browser was reported as closed, and what the app is told.
    static let closings: [(status: String, next: String, told: String)] = [
        ("pending", Example.openBrowser, "paused"),
        ("pending", #"{"action": "open_browser", "url": "https://login.example/go/another"}"#, "paused"),
        ("pending", #"{"action": "open_app", "universal_link": "https://e.example/"}"#, "paused"),
        ("pending", #"{"action": "resume_browser", "url": "https://b/"}"#, "resume_browser"),
        ("exchanging", #"{"action": "wait"}"#, "nothing"),
        ("awaiting_return", #"{"action": "enter_code"}"#, "enter_code"),
        ("awaiting_return", #"{"action": "show_browser"}"#, "show_browser"),
        ("completed", "null", "ended"), ("cancelled", "null", "ended"),
    ]

    @Test("a closed browser is reported", arguments: closings)
    func aClosedBrowserIsReported(_ row: (status: String, next: String, told: String)) {
        var bench = Stage.polling.bench
        bench.say(.browserClosed)
        #expect(bench.asked == "POST /ID/return")
        #expect(bench.body == #"{"url":null}"#)
        #expect(bench.say(.browserClosed) == [], "once is enough")
        bench.answer(Example.login(row.status, version: 2, next: row.next))
        #expect(LoginState.word(bench.told.last) == row.told)
        guard row.told != "ended" else { return }
        #expect(bench.asked == "GET /ID")
        bench.answer(Example.login(row.status, version: 2, next: row.next))
        #expect(LoginState.word(bench.told.last) == row.told, "a poll opens nothing by itself")
        bench.waitForWake()
        bench.answer(Example.login("completed", version: 3))
        #expect(LoginState.word(bench.told.last) == "ended", "a browser that was there after all")
    }

    /// The app offers it each time, because the phone may be wrong each time.
    @Test("a user who returns again is asked about again") func whoComesBackAgainIsAskedAgain() {
        var bench = Stage.paused.bench
        for _ in 0..<3 {
            let told = bench.told.count
            bench.say(.reopenRequested)
            #expect(bench.action?.kind == .openBrowser)
            bench.say(.browserClosed)
            bench.answer(Example.login(version: 2))
            #expect(bench.told.count == told + 2)
            #expect(LoginState.word(bench.told.last) == "paused")
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
        bench.action?.app?.universalLink
    }

    /// The link may be too old when the user presses "Continue", so the server is asked first.
    @Test(
        "the e-ID's app is opened again by the link of the response",
        arguments: ["https://e.example/", "https://e.example/fresh"])
    func theEIDsAppIsOpenedAgainByTheLinkOfTheAnswer(_ link: String) {
        var bench = Stage.appOpened.bench
        bench.say(.browserClosed)
        bench.answer(Example.login(version: 2, next: Self.openApp("https://e.example/")))
        #expect(LoginState.word(bench.told.last) == "paused")
        bench.say(.reopenRequested)
        #expect(bench.asked == "POST /ID/return")
        #expect(bench.body == #"{"url":null}"#)
        bench.answer(Example.login(version: 3, next: Self.openApp(link)))
        #expect(Self.opened(bench) == link)
        bench.say(.browserClosed)
        bench.answer(Example.login(version: 4, next: Self.openApp("https://e.example/third")))
        #expect(LoginState.word(bench.told.last) == "paused", "once for each time that the person says so")
    }

    /// There is no link any more, and the user sees that.
    @Test("an e-ID's app without a link cannot be opened again") func theEIDsAppThatCannotBeOpenedAgain() {
        var bench = Stage.appOpened.bench
        bench.say(.reopenRequested)
        bench.answer(Example.login(version: 3, next: #"{"action": "wait"}"#))
        #expect(LoginState.word(bench.told.last) == "nothing")
        bench.say(.browserClosed)
        bench.answer(Example.login(version: 4, next: Self.openApp("https://e.example/")))
        #expect(LoginState.word(bench.told.last) == "paused", "what was asked for before is over")
    }

    /// A new link does not send the user back to the e-ID's app after they pressed Cancel there.
    @Test("a link without a response opens nothing") func aLinkWithoutAnAnswerOpensNothing() {
        var bench = Stage.appOpened.bench
        bench.say(.linkOpened(Example.prefix + "?x"))
        bench.answer(Example.login(version: 3, next: Self.openApp("https://e.example/fresh")))
        #expect(LoginState.word(bench.told.last) == "paused")
        #expect(bench.asked == "GET /ID")
        bench.answer(Example.login(version: 3, next: Self.openApp("https://e.example/fresh")))
        #expect(LoginState.word(bench.told.last) == "paused")
    }

    /// The page is reopened by a URL, and only when the user asks for it.
    @Test("the page is shown again when the user asks for it", arguments: ["show_browser", "enter_code"])
    func thePageIsShownAgain(_ action: String) throws {
        var bench = Stage.polling.bench
        let next = #"{"action": "\#(action)", "url": "https://login.example/go/page", "surfaces": ["tab"]}"#
        bench.answer(Example.login("awaiting_return", version: 2, next: next))
        #expect(bench.action == (action == "enter_code" ? .enterCode : .showBrowser))
        bench.say(.reopenRequested)
        guard case .openBrowser(let launch)? = bench.action?.value else {
            Issue.record("\(bench.told)")
            return
        }
        #expect(launch.url == "https://login.example/go/page")
        #expect(launch.surfaces == [.tab])
    }

    /// A browser inside the app may be on top of it; the system's browser cannot be.
    @Test("the foreground without a link is a return from the system's browser only", arguments: Surface.allCases)
    func theForegroundWithoutALink(_ surface: Surface) {
        var bench = ReducerBench(Example.record(surface: surface))
        bench.say(.started)
        bench.answer(Example.login())
        bench.say(.enteredBackground)
        bench.say(.enteredForeground)
        #expect(bench.asked == (surface == .system ? "POST /ID/return" : "GET /ID"))
    }

    @Test("a user who cancels is not sent away") func whoGivesUpIsNotSentAway() {
        var bench = ReducerBench()
        bench.say(.started)
        bench.say(.cancelled)
        bench.answer(Example.login())
        #expect(bench.action == nil)
        #expect(bench.asked == "POST /ID/cancel")
    }

    @Test("a safe result is acknowledged and forgotten") func aSafeResultIsAcknowledgedAndForgotten() {
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
    @Test("a new start acknowledges what was safe") func aNewStartAcknowledgesWhatWasSafe() {
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
