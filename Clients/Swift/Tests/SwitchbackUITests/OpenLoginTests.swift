import Foundation
import Testing

@testable import SwitchbackClient
@testable import SwitchbackTesting
@testable import SwitchbackUI

/// Several logins at once: one for each window, and those that another one has replaced.
@MainActor @Suite(.timeLimit(.minutes(1))) struct OpenLoginTests {
    private let phone = FakePhone()
    private let window = FakeWindow()

    /// Logs in, and returns only how the call failed.
    private static func logIn(_ switchback: Switchback, _ provider: String, _ window: FakeWindow) -> Task<
        LoginFailure.Kind?, Never
    > {
        Task { @MainActor in
            do throws(LoginFailure) {
                _ = try await switchback.logIn(LoginRequest(provider), over: window)
                return nil
            } catch {
                return error.kind
            }
        }
    }

    private static func list(_ switchback: Switchback) async -> [OpenLogin] {
        var iterator = switchback.logins.makeAsyncIterator()
        return await iterator.next() ?? []
    }

    /// Begins a login, and another one in its place.
    private func replaced(_ switchback: Switchback) async -> Task<LoginFailure.Kind?, Never> {
        let first = Self.logIn(switchback, "mitid", self.window)
        #expect(await FakePhone.eventually { self.window.hasBrowser })
        let second = Self.logIn(switchback, "vipps", self.window)
        #expect(await first.value == .replaced)
        #expect(await FakePhone.eventually { self.window.openings.count == 2 })
        return second
    }

    @Test("another provider replaces the login of the same window, which goes on at the server")
    func anotherProviderReplaces() async {
        let switchback = self.phone.start()
        let other = FakeWindow("two")
        let beside = Self.logIn(switchback, "mitid", other)
        #expect(await FakePhone.eventually { other.hasBrowser })
        let second = await self.replaced(switchback)
        #expect(switchback.progress(of: "one").kind == .inBrowser && other.hasBrowser)
        let list = await Self.list(switchback)
        #expect(list.map(\.provider) == ["vipps", "mitid", "mitid"])
        #expect(list.map(\.isReplaced) == [false, true, false] && list.map(\.windowName) == ["one", "one", "two"])
        #expect(!self.phone.server.log.contains("cancel"))
        // The server hears of it. The login in the other window has replaced none.
        #expect(self.phone.server.replaced == ["vipps for mitid"])
        for window in [self.window, other] { window.end(.misconfigured("stop")) }
        #expect(await second.value == .misconfigured)
        #expect(await beside.value == .misconfigured)
    }

    @Test("a replaced login that completes after all is listed, and delivered once the app asks")
    func aReplacedLoginCompletes() async throws {
        let switchback = self.phone.start()
        let second = await self.replaced(switchback)
        self.phone.server.change("completed", provider: "mitid")
        #expect(await FakePhone.eventually { switchback.flows.contains { $0.isReplaced && $0.hasResult } })
        #expect(await Self.list(switchback).last?.progress.login != nil)
        // The window still shows the login that is under way in it.
        #expect(switchback.progress(of: "one").kind == .inBrowser)
        let late = await switchback.resume(over: self.window, names: [])
        #expect(late.login?.login.provider == "mitid" && self.window.hasBrowser)
        switchback.flow(of: "one")?.cancel()
        #expect(await second.value == .cancelled)
        #expect(await FakePhone.eventually { switchback.flow(of: "one") == nil })
        #expect(await switchback.resume(over: self.window, names: []).login == late.login)
        #expect(switchback.progress(of: "one").login == late.login)
        late.login?.acknowledge()
        #expect(await FakePhone.eventually { switchback.progress(of: "one").kind == .idle })
        #expect(await Self.list(switchback).isEmpty)
    }

    @Test("a killed app watches the replaced login, and gives the window the newer one")
    func aKilledAppWatchesBoth() async {
        _ = await self.replaced(self.phone.start())
        let (switchback, window) = (self.phone.start(), FakeWindow())
        _ = await switchback.resume(over: window, names: [])
        #expect(switchback.flow(of: "one")?.session.request.provider == "vipps")
        self.phone.server.change("completed", provider: "mitid")
        #expect(await FakePhone.eventually { switchback.flows.contains { $0.isReplaced && $0.hasResult } })
        #expect(await switchback.resume(over: window, names: []).login?.login.provider == "mitid")
    }

    @Test("a replaced login that goes on gets no window, also after the other one is over")
    func aReplacedLoginGetsNoWindow() async {
        let switchback = self.phone.start()
        let second = await self.replaced(switchback)
        switchback.flow(of: "one")?.cancel()
        #expect(await second.value == .cancelled)
        #expect(await FakePhone.eventually { switchback.flows.map(\.isReplaced) == [true] })
        _ = await switchback.resume(over: self.window, names: [])
        #expect(switchback.flows.allSatisfy { $0.window == nil } && switchback.flow(of: "one") == nil)
        #expect(self.window.openings.count == 2 && !self.window.hasBrowser)
    }

    @Test("a replaced login is cancelled by its own entry, and only that one") func aReplacedLoginIsCancelled() async {
        let switchback = self.phone.start()
        let second = await self.replaced(switchback)
        for login in await Self.list(switchback) where login.isReplaced { switchback.cancel(login) }
        #expect(await FakePhone.eventually { self.phone.server.log.contains("cancel") })
        #expect(await FakePhone.eventually { switchback.flows.map(\.session.request.provider) == ["vipps"] })
        self.window.end(.misconfigured("stop"))
        #expect(await second.value == .misconfigured)
    }

    @Test("a preview shows its states in every window, and stays at the last") func aPreviewShowsItsStates() async {
        let switchback = Switchback.preview([LoginProgress(.paused), LoginProgress(.codeWanted)], seconds: 0.05)
        #expect(switchback.progress(of: "one").kind == .paused && switchback.progress(of: "two").kind == .paused)
        #expect(await FakePhone.eventually { switchback.progress(of: "two").kind == .codeWanted })
        var late = switchback.current(of: "three").makeAsyncIterator()
        #expect(await late.next()?.kind == .codeWanted)
        #expect(await switchback.resume(over: self.window, names: []).kind == .codeWanted)
        #expect(Switchback.preview([]).progress(of: "one").kind == .idle)
    }

    /// What the phone said of the app, what the next request says, and whether both are one login.
    nonisolated static let requests: [(first: Bool?, next: Bool?, isSame: Bool)] = [
        (false, false, true), (true, false, false), (nil, false, false), (false, nil, true), (nil, nil, true),
    ]

    @Test("a request says whether the e-ID's app is there, and is the same if it says the same", arguments: requests)
    func aRequestSaysWhetherTheAppIsThere(_ row: (first: Bool?, next: Bool?, isSame: Bool)) throws {
        let json = #"{"providers": [{"id": "x"}]}"#
        var provider = try #require(EIDProvider.list(Data(json.utf8), languages: [])?.first)
        provider.isEIDAppInstalled = row.first
        let login = LoginRequest(provider).newLogin(app: "demo", surface: .tab, language: nil)
        #expect(login.provider == "x" && login.isEIDAppInstalled == row.first)
        provider.isEIDAppInstalled = row.next
        #expect(LoginRequest(provider).isSame(as: login) == row.isSame)
    }

    /// The links to ask about, the schemes of Info.plist, those that an app opens, and what is known.
    nonisolated static let probes: [(links: [String], schemes: [String], apps: [String], isInstalled: Bool?)] = [
        ([], ["a"], ["a"], nil), (["a://"], ["a"], ["a"], true), (["a://"], ["A"], [], false),
        (["a://"], [], ["a"], nil), (["a://", "b://"], ["a"], ["a"], true), (["a://", "b://"], ["a"], [], nil),
        (["a://", "b://"], ["a", "b"], ["b"], true), (["https://a.example"], ["https"], ["https"], nil),
    ]

    @Test("an e-ID's app is there, is not there, or nobody can tell", arguments: probes.indices)
    func anAppIsThere(_ index: Int) throws {
        let row = Self.probes[index]
        let links = row.links.map { "\"\($0)\"" }.joined(separator: ",")
        let json = #"{"providers": [{"id": "x", "eid_app": {"ios_probe_links": [\#(links)]}}]}"#
        let provider = try #require(EIDProvider.list(Data(json.utf8), languages: [])?.first)
        let probe = AppProbe(querySchemes: row.schemes) { row.apps.contains($0.scheme ?? "") }
        #expect(probe.isInstalled(provider) == row.isInstalled)
    }
}
