import Foundation
import SwitchbackClient
import Testing

@testable import SwitchbackTesting
@testable import SwitchbackUI

/// Whole logins in windows that open nothing, at a server in memory.
@MainActor @Suite(.timeLimit(.minutes(1))) struct SwitchbackTests {
    private let phone = FakePhone()
    private let window = FakeWindow()
    private let link = BrowserEnd.link(FakeServer.prefix + "x?code=1")

    private typealias Outcome = Result<CompletedLogin, LoginFailure>

    private static func logIn(_ switchback: Switchback, _ provider: String, _ window: FakeWindow) -> Task<
        Outcome, Never
    > {
        Task { @MainActor in
            do throws(LoginFailure) {
                return .success(try await switchback.logIn(LoginRequest(provider), over: window))
            } catch {
                return .failure(error)
            }
        }
    }

    private static func failure(_ task: Task<Outcome, Never>) async -> LoginFailure.Kind? {
        if case .failure(let failure) = await task.value { failure.kind } else { nil }
    }

    @Test("a login opens its browser and returns the result, which ends with its acknowledgement")
    func aLoginReturnsItsResult() async throws {
        let switchback = self.phone.start()
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        #expect(switchback.progress(of: "one").kind == .inBrowser)
        self.window.end(self.link)
        let login = try await task.value.get()
        #expect(login.assertion?.exposed == "a.b.c" && login.reference == "K7QX-2M4P")
        #expect(switchback.progress(of: "one").login == login)
        login.acknowledge()
        #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .idle })
        #expect(await FakePhone.eventually { self.phone.server.log.last == "delete" })
    }

    @Test("a second call with the same request joins the login that is there")
    func aSecondCallJoins() async throws {
        let switchback = self.phone.start()
        let tasks = [0, 1].map { _ in Self.logIn(switchback, "mitid", self.window) }
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        let third = Self.logIn(switchback, "mitid", self.window)
        self.window.end(self.link)
        for task in tasks + [third] { #expect(try await task.value.get().reference == "K7QX-2M4P") }
        #expect(self.phone.server.log.filter { $0.hasPrefix("create") } == ["create mitid"])
    }

    @Test("a cancelled task ends the waiting, and the login goes on") func aCancelledTaskEndsTheWaiting() async {
        let switchback = self.phone.start()
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        task.cancel()
        #expect(await Self.failure(task) == .waitingStopped)
        #expect(self.window.hasBrowser && !self.phone.server.log.contains("cancel"))
        self.window.end(self.link)
        #expect(await FakePhone.eventually { switchback.progress(of: "one").login != nil })
    }

    @Test("any number of readers begin with the present state, and one that goes away ends nothing")
    func anyNumberOfReaders() async {
        let switchback = self.phone.start()
        var early = switchback.current(of: "one").makeAsyncIterator()
        #expect(await early.next()?.kind == .idle)
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        let reader = Task { for await _ in switchback.current(of: "one") {} }
        reader.cancel()
        await reader.value
        var late = switchback.current(of: "one").makeAsyncIterator()
        #expect(await late.next()?.kind == .inBrowser)
        #expect(await early.next()?.kind == .inBrowser)
        self.window.end(.misconfigured("stop"))
        #expect(await Self.failure(task) == .misconfigured)
    }

    @Test("a killed app goes on in what the login was opened in, with the same callback", arguments: [true, false])
    func aKilledAppGoesOn(isResumed: Bool) async {
        _ = Self.logIn(self.phone.start(), "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        if isResumed { self.phone.server.change(next: FakeServer.resumeBrowser) }
        let (switchback, window) = (self.phone.start(), FakeWindow())
        _ = await switchback.resume(over: window, names: [])
        if !isResumed {
            #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .paused })
            #expect(switchback.progress(of: "one").canContinue && window.openings == [])
            switchback.flow(of: "one")?.continueLogin()
        }
        #expect(await FakePhone.eventually { window.hasBrowser })
        #expect(window.openings.map(\.browser) == self.window.openings.map(\.browser))
        #expect(window.openings.first?.browser.callback == .https(host: "app.example", path: "/r/x"))
    }

    @Test("a login that ended while the app was dead comes to a window, once")
    func aLoginThatEndedMeanwhileIsDelivered() async throws {
        _ = Self.logIn(self.phone.start(), "mitid", FakeWindow("gone"))
        #expect(await FakePhone.eventually { self.phone.server.log == ["create mitid"] })
        self.phone.server.change("completed")
        let switchback = self.phone.start()
        let elsewhere = FakeWindow("two")
        _ = await switchback.resume(over: elsewhere, names: ["gone"])
        _ = await switchback.resume(over: self.window, names: ["two"])
        #expect(await FakePhone.eventually { switchback.progress(of: "one").login != nil })
        #expect(switchback.progress(of: "two").kind == .idle)
    }

    @Test("a cold start by a link ends the login") func aColdStartByALink() async throws {
        _ = Self.logIn(self.phone.start(), "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        let (switchback, window) = (self.phone.start(), FakeWindow())
        let url = try #require(URL(string: FakeServer.prefix + "x?code=%20a"))
        #expect(await switchback.open(url))
        _ = await switchback.resume(over: window, names: [])
        #expect(await FakePhone.eventually { switchback.progress(of: "one").login != nil })
        #expect(self.phone.server.log.contains { $0.contains("x?code=%20a") })
        let stranger = try #require(URL(string: "https://other.example/"))
        #expect(await !switchback.open(stranger))
    }

    @Test("what the system says about a missing entitlement is the failure, and ends the login")
    func aMissingEntitlementIsMisconfigured() async {
        let switchback = self.phone.start()
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        self.window.end(.misconfigured("Using HTTPS callbacks requires Associated Domains"))
        guard case .failure(let failure) = await task.value else { return #expect(Bool(false)) }
        #expect(failure.kind == .misconfigured && !failure.isRetryable)
        #expect(failure.systemMessage == "Using HTTPS callbacks requires Associated Domains")
        #expect(failure.reference == "K7QX-2M4P")
        #expect(await FakePhone.eventually { self.phone.server.log.contains("cancel") })
        #expect(switchback.progress(of: "one").failure == failure)
    }

    @Test("a browser that was closed pauses the login, and the same request continues it")
    func aClosedBrowserPauses() async throws {
        let switchback = self.phone.start()
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        self.window.end(.closed)
        #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .paused })
        let again = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.openings.count == 2 })
        self.window.end(self.link)
        for task in [task, again] { #expect(try await task.value.get().assertion != nil) }
    }

    @Test("the page's code completes a login") func theCodeCompletes() async throws {
        let switchback = self.phone.start()
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        self.phone.server.change("awaiting_return", next: #"{"action": "enter_code"}"#)
        #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .codeWanted })
        switchback.flow(of: "one")?.enter(code: "123456")
        #expect(try await task.value.get().assertion != nil)
        #expect(!self.window.hasBrowser)
    }

    @Test("an app that is not there is offered a page, which opens when the user continues")
    func aMissingAppOffersAPage() async {
        let switchback = self.phone.start()
        self.window.hasApp = false
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        self.phone.server.change(next: FakeServer.openApp)
        #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .appMissing })
        #expect(self.window.attempts == ["https://eid.example/a", "eid://a"])
        switchback.flow(of: "one")?.continueLogin()
        #expect(await FakePhone.eventually { self.window.attempts.last == "https://eid.example/web" })
        switchback.flow(of: "one")?.cancel()
        #expect(await Self.failure(task) == .cancelled)
    }

    @Test("a user who gives up offline is not kept") func aUserWhoGivesUpOfflineIsNotKept() async {
        let switchback = self.phone.start()
        self.phone.server.goDown()
        let task = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .retrying })
        switchback.flow(of: "one")?.cancel()
        #expect(await Self.failure(task) == .cancelled)
    }
}
