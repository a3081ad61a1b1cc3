import Base
import Brokers
import Testing

@testable import Logins

/// What is left of a login that is over: how few bytes, what they still answer, and that nobody can forge them.
@Suite struct TombstoneTests {
    static let response = AcceptedResponse(attempt: Example.attempt(1).id, hash: Example.hash(1))
    static let endings: [TombstoneStatus] =
        [.delivered, .unclaimed, .expired]
        + Reason.allCases.map { .failed($0) } + Reason.allCases.map { .cancelled($0) }

    let keys: ServerKeys
    let rules: LoginConfiguration

    init() throws {
        self.keys = try #require(ServerKeys([Example.key]))
        var settings = LoginSettings(publicURL: "https://login.example.com")
        for app in ["other", "demo"] {
            settings.apps[app] = LoginSettings.App(
                releases: ["bankid": .immediate, "mitid": .immediate], returnPrefixes: [])
        }
        self.rules = LoginConfiguration(
            settings, keys: self.keys,
            providers: ["mitid", "bankid"].map { Provider(id: $0, brokerID: "broker of \($0)", names: [:]) },
            brokers: [])
    }

    static func login(
        _ ending: TombstoneStatus = .delivered, _ response: AcceptedResponse? = Self.response
    ) -> Login {
        var login = Stage.gone.login()
        login.state = .gone(ending, until: Example.after(90) + .milliseconds(1))
        login.acceptedResponse = response
        return login
    }

    private func open(_ row: SealedLogin, _ rules: LoginConfiguration? = nil) throws(RowError) -> Login {
        let (tombstone, key) = try TombstoneSeal.open(row, keys: self.keys)
        return tombstone.login(row.id, until: row.due, under: key, rules ?? self.rules)
    }

    @Test(arguments: Self.endings) func `a row gives back what is left`(_ ending: TombstoneStatus) throws {
        for response in [nil, Self.response] {
            let row = LoginSeal.seal(Self.login(ending, response), under: Example.key)
            #expect(row.bytes.count == SealedLogin.tombstoneByteCount)
            #expect(row.isOver && !row.isOpen && row.revision == SealedLogin.tombstoneRevision)
            let login = try self.open(row)
            #expect(login.state == .gone(ending, until: Example.after(91)), "a whole second, never earlier")
            #expect(login.due == row.due)
            #expect([login.app, login.provider, login.broker] == ["demo", "mitid", "broker of mitid"])
            #expect(login.locale == "da")
            #expect(login.hasReturned == (response != nil))
            #expect(LoginSeal.seal(login, under: Example.key) == row, "it can be sealed again")
        }
    }

    /// The locale that the app asked for, and what is left of it.
    @Test func `the language is two letters`() throws {
        let table: [(String?, String?)] = [
            (nil, nil), ("da", "da"), ("nb-NO", "nb"), ("fil", nil), ("", nil), ("é", "é"), ("x", nil),
        ]
        for (locale, left) in table {
            var login = Login(like: Self.login(), locale: locale, surface: nil, callback: nil)
            login.state = Self.login().state
            #expect(try self.open(LoginSeal.seal(login, under: Example.key)).locale == left, "\(locale ?? "none")")
        }
    }

    /// The page's button leads back as before.
    @Test func `the way to return stays`() throws {
        for surface in [nil] + AuthorizationContext.Surface.allCases.map(Optional.some) {
            for callback in [nil] + ReturnCallback.allCases.map(Optional.some) {
                var login = Login(like: Self.login(), locale: nil, surface: surface, callback: callback)
                login.state = Self.login().state
                let left = try self.open(LoginSeal.seal(login, under: Example.key))
                #expect((left.surface == .authSession) == (surface == .authSession))
                #expect((left.callback == .scheme) == (callback == .scheme))
            }
        }
    }

    @Test func `a tombstone knows its secret and no other`() throws {
        let verifier = Example.hash(8)
        for login in [Self.login(), try self.open(LoginSeal.seal(Self.login(), under: Example.key))] {
            #expect(login.isMade(with: verifier))
            for other in [[], Array(verifier.prefix(7)), [9] + verifier.dropFirst(), Array(verifier[..<7]) + [9]] {
                #expect(!login.isMade(with: other))
            }
        }
        #expect(!Stage.completed.login().isMade(with: Array(verifier.prefix(8))), "only a tombstone keeps a part")
    }

    @Test func `a tombstone knows its browser and no other`() throws {
        let login = try self.open(LoginSeal.seal(Self.login(), under: Example.key))
        let unopened = try self.open(LoginSeal.seal(Self.login(.expired, nil), under: Example.key))
        let table: [(UInt8, UInt8, Bool)] = [(1, 1, true), (1, 2, false), (2, 1, false)]
        for (attempt, hash, isKnown) in table {
            let response = AcceptedResponse(attempt: Example.attempt(attempt).id, hash: Example.hash(hash))
            let token = PageToken(login.id, response, under: Example.key)
            #expect(token.shows(codeBeginningWith: login.pageCode) == isKnown)
            #expect(!token.shows(codeBeginningWith: unopened.pageCode))
            var again = login
            let action = again.acceptCallback(
                .granted(code: [5]), to: response.attempt, hash: response.hash,
                pageCode: { PageToken.pageCode(of: login.id, response, under: Example.key) }, at: Example.after(60))
            #expect(action == (isKnown ? .show : .ignore))
            #expect(again == login)
        }
    }

    @Test func `apps and brokers that are no longer configured have no name`() throws {
        let row = LoginSeal.seal(Self.login(), under: Example.key)
        let rules = LoginConfiguration(
            LoginSettings(publicURL: "https://login.example.com"), keys: self.keys, providers: [], brokers: [])
        let login = try self.open(row, rules)
        #expect([login.app, login.provider, login.broker] == ["", "", ""])
    }

    @Test func `every changed byte and column is seen`() throws {
        let row = LoginSeal.seal(Self.login(), under: Example.key)
        for bit in 0..<row.bytes.count * 8 {
            var bytes = row.bytes
            bytes[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: RowError.self) {
                try self.open(SealedLogin(tombstoneOf: row.id, due: row.due, bytes: bytes))
            }
        }
        let other = PollSecret.make().loginID
        for forged in [
            SealedLogin(tombstoneOf: other, due: row.due, bytes: row.bytes),
            SealedLogin(tombstoneOf: row.id, due: row.due + .seconds(1), bytes: row.bytes),
            SealedLogin(id: row.id, revision: 1, due: row.due, isOpen: false, bytes: row.bytes),
            SealedLogin(id: row.id, revision: 0, due: row.due, isOpen: true, bytes: row.bytes),
        ] {
            #expect(throws: RowError.forged) { try self.open(forged) }
        }
        for count in [0, 1, 8, 9, 31, 33, 64] {
            let bytes = Array((row.bytes + row.bytes).prefix(count))
            #expect(throws: RowError.self) {
                try self.open(SealedLogin(tombstoneOf: row.id, due: row.due, bytes: bytes))
            }
        }
    }

    /// Two keys may begin with the same byte, so the MAC decides.
    @Test func `the right key is found`() throws {
        let others = (0..<600).map { _ in ServerKey.make() }
        let row = LoginSeal.seal(Self.login(), under: Example.key)
        let all = try #require(ServerKeys(others + [Example.key]))
        #expect(try TombstoneSeal.open(row, keys: all).1.id == Example.key.id)
        let far = try #require(ServerKeys(others.filter { $0.id.first != Example.key.id.first }))
        #expect(throws: RowError.retiredKey) { try TombstoneSeal.open(row, keys: far) }
    }

    // MARK: - In a flow

    /// How a login that is over answers each request, from its app and from its browser.
    @Test func `a tombstone serves requests for a day`() async throws {
        let stage = try FlowStage()
        try await stage.create()
        let url = try await stage.flow.loadView(stage.id, secret: stage.secret).next
        guard case .openBrowser(let url, _)? = url, let link = url.split(separator: "/").last.map(String.init) else {
            Issue.record("the login begins in a browser")
            return
        }
        let (state, began) = try await stage.open()
        let response = [Parameter("state", state), Parameter("code", "c")]
        guard case .redirect(.page(let token), let cookie) = await stage.callback(response) else {
            Issue.record("the callback leads to the page")
            return
        }
        await stage.flow.finish()
        try await stage.flow.acknowledge(stage.id, secret: stage.secret)
        for _ in 0..<2 {
            try await stage.flow.acknowledge(stage.id, secret: stage.secret)
            await #expect(throws: LoginFlowError.gone) { try await stage.flow.loadView(stage.id, secret: stage.secret) }
            await #expect(throws: LoginFlowError.unknownLogin) {
                try await stage.flow.loadView(stage.id, secret: PollSecret.make())
            }
            await #expect(throws: LoginFlowError.gone) { try await stage.create() }
            await #expect(throws: LoginFlowError.gone) { try await stage.create(thumbprint: "another body") }
            await #expect(throws: LoginFlowError.gone) {
                try await stage.flow.handleReturn(stage.id, secret: stage.secret, link: nil)
            }
            await #expect(throws: LoginFlowError.gone) {
                try await stage.flow.handleReturn(stage.id, secret: stage.secret, code: "123456")
            }
            let page = try #require(await stage.flow.loadPage(token))
            #expect(page.kind == .acknowledged && page.app == "demo" && page.reference == stage.id.reference)
            #expect(await stage.callback(response) == .redirect(.page(token: token), cookie))
            // The app's link, opened by the browser that returned, by one that only began, and by another one.
            for (cookies, kind) in [
                ([cookie], .acknowledged), ([began], .over), ([], .over),
            ] as [([AttemptCookie], PageView.Kind)] {
                let cookies = cookies.map { Parameter($0.name, $0.value) }
                let outcome = await stage.flow.startAuthorization(link, languages: [], cookies: cookies)
                guard case .page(let view) = outcome else {
                    Issue.record("the link leads to a page")
                    continue
                }
                #expect(view.kind == kind)
            }
            let other = await stage.callback([Parameter("state", state), Parameter("code", "d")])
            #expect(other == .ignored(.otherResponse, cookie: cookie.name))
            stage.pass(12 * 60 * 60 - 1)
        }
        stage.pass(2)
        await #expect(throws: LoginFlowError.unknownLogin) {
            try await stage.flow.loadView(stage.id, secret: stage.secret)
        }
        #expect(await stage.flow.loadPage(token) == nil)
    }
}

extension Login {
    /// A copy with another way back.
    fileprivate init(
        like login: Login, locale: String?, surface: AuthorizationContext.Surface?, callback: ReturnCallback?
    ) {
        self.init(
            id: login.id, keyID: login.keyID, app: login.app, provider: login.provider, broker: login.broker,
            platform: login.platform, locale: locale, surface: surface, callback: callback, release: login.release,
            createdAt: login.createdAt, deadline: login.deadline, resultTTL: login.resultTTL,
            pollVerifier: login.pollVerifier, bodyVerifier: login.bodyVerifier, request: [], wrappedKey: [])
    }
}
