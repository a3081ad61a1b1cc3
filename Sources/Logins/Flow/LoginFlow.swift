/// Sees logins through: what the API and the browser ask for, each by the step that does it.
///
///     the app            LoginCreation ─────────────▶ pending
///                             │ (its link at once)       │
///     a browser          AuthorizationStart ─────────────┤ asks the broker by OpeningMaker
///                                                        │
///     the broker's       CallbackAcceptance ◀── a browser, AppReturn (a link to the app)
///     answer                  │         ▲
///                             │    BrokerPolling ◀── a trip that no browser ends
///                             ▼         │ (a token answer)
///                        CodeExchange ◀─┘            exchanging
///                             │
///              ┌──────────────┴────────────┐
///              ▼                           ▼
///          completed ◀── ProofCheck ── awaitingReturn
///              │          (AppReturn: a link, the code of the page)
///              ▼
///          acknowledged, and gone
///
///     LoginCancellation and LoginSweep end a login from any state that is not final. The sweep also takes up what a
///     process that was killed has left, by CodeExchange and BrokerPolling. LoginViews and PageViews say what an app and
///     a browser may see.
///
/// Every step reads and changes logins by `LoginRepository` only. Nothing is held while a broker is asked.
import Base

package final class LoginFlow: Sendable {
    let repository: LoginRepository
    let exchange: CodeExchange
    let polling: BrokerPolling
    private let waiters: LoginWaiters
    private let views: LoginViews
    private let pages: PageViews
    private let creation: LoginCreation
    private let authorization: AuthorizationStart
    private let acceptance: CallbackAcceptance
    private let appReturn: AppReturn
    private let cancellation: LoginCancellation
    private let sweeping: LoginSweep

    package init(
        _ rules: LoginRules, store: any LoginStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (LoginEvent) -> Void
    ) {
        let waiters = LoginWaiters(store: store)
        let pending = PendingLogins()
        let repository = LoginRepository(rules, store: store, waiters, pending, now: now, observe: observe)
        let (views, pages, maker) = (LoginViews(now: now), PageViews(now: now), OpeningMaker(now: now))
        let exchange = CodeExchange(repository)
        let acceptance = CallbackAcceptance(repository, exchange)
        let polling = BrokerPolling(repository, acceptance, exchange, waiters.trips)
        let renewal = LinkRenewal(repository, maker, polling, views)
        self.repository = repository
        self.exchange = exchange
        self.polling = polling
        self.waiters = waiters
        self.views = views
        self.pages = pages
        self.creation = LoginCreation(repository, pending, maker, polling, renewal, views)
        self.authorization = AuthorizationStart(repository, pending, maker, polling, pages)
        self.acceptance = acceptance
        self.appReturn = AppReturn(repository, acceptance, ProofCheck(repository: repository), renewal, views)
        self.cancellation = LoginCancellation(repository, waiters.polls)
        self.sweeping = LoginSweep(repository, exchange, polling)
    }
}

// MARK: - What an app does

extension LoginFlow {
    /// Creates the login of this secret. The same secret with the same request is the same login, on every machine.
    nonisolated(nonsending) package func create(
        _ request: LoginRequest, secret: PollSecret, by caller: Caller = Caller()
    ) async throws(LoginFlowError) -> (view: LoginView, isNew: Bool) {
        try await self.creation.create(request, secret: secret, by: caller)
    }

    /// The login as it stands.
    nonisolated(nonsending) package func view(
        _ id: LoginID, secret: PollSecret
    ) async throws(LoginFlowError) -> LoginView {
        try self.views.view(of: try await self.repository.read(id, secret), secret)
    }

    /// The app is in front again, perhaps with a link that opened it.
    package func comeBack(
        _ id: LoginID, secret: PollSecret, link: ReturnLink?, by caller: Caller = Caller()
    ) async throws(LoginFlowError) -> LoginView {
        try await self.appReturn.comeBack(id, secret, link: link, by: caller)
    }

    /// The person has typed the code of the page.
    package func comeBack(_ id: LoginID, secret: PollSecret, code: String) async throws(LoginFlowError) -> LoginView {
        try await self.appReturn.comeBack(id, secret, code: code)
    }

    /// Gives up. While a code is being redeemed it waits up to `limit` for the outcome first.
    package func cancel(
        _ id: LoginID, secret: PollSecret, waiting limit: Duration
    ) async throws(LoginFlowError) -> LoginView {
        try self.views.view(of: try await self.cancellation.cancel(id, secret, waiting: limit), secret)
    }

    /// The app has the result safe: it is wiped. Does nothing the second time.
    package func acknowledge(_ id: LoginID, secret: PollSecret) async throws(LoginFlowError) {
        let known = try await self.repository.read(id, secret)
        let changed = try await self.repository.change(known) { login, _ in
            login.acknowledge(at: self.repository.now())
        }
        switch changed?.action {
        case .wiped?: self.repository.tell(.acknowledged, of: changed?.snapshot)
        case .alreadyGone?: return
        case .notFinal?: throw .notFinal
        case nil: throw .unknownLogin
        }
    }

    /// The result of this login is part of an answer to the app.
    package func noteDelivery(of view: LoginView) { self.repository.tell(.delivered, of: view) }
}

// MARK: - What a browser does

extension LoginFlow {
    /// A browser opens the `/go` link: to log in, to go on with that, or to see the page again.
    package func open(
        _ startToken: String, languages: [String], cookies: [Parameter] = [],
        by caller: Caller = Caller()
    ) async -> StartAnswer {
        await self.authorization.start(startToken, languages: languages, cookies: cookies, by: caller)
    }

    /// The broker's answer, by whatever way it came. It never fails: what is not understood changes nothing.
    package func takeCallback(
        broker: String, parameters: [Parameter], cookies: [Parameter] = [],
        by caller: Caller = Caller()
    ) async -> CallbackAnswer {
        await self.acceptance.accept(broker: broker, parameters, cookies: cookies, by: caller)
    }

    /// What the page of this token says now; nil when it is not one of ours. The store is asked only for a token of ours.
    package func page(_ pageToken: String) async -> PageView? {
        guard let token = PageToken(pageToken, keys: self.repository.keys) else { return nil }
        do throws(LoginFlowError) {
            guard let known = try await self.repository.read(token.login) else { return nil }
            return self.pages.page(of: known, for: token)
        } catch {
            return PageView(.unavailable)
        }
    }

    /// The login whose page a token shows, to wait for. Nil for a token that is not ours.
    package func login(ofPage pageToken: String) -> LoginID? {
        PageToken(pageToken, keys: self.repository.keys)?.login
    }
}

// MARK: - What the server does

extension LoginFlow {
    /// Logins that begin from now on have these rules; those under way end under theirs.
    package func replaceRules(with rules: LoginRules) { self.repository.replaceRules(with: rules) }

    /// The rules that no login under way began with. They are forgotten.
    package func retireRules() -> [LoginRules] { self.repository.retireRules() }

    /// Expires, forgets and removes what is due, and goes on with what was left, up to `limit` logins. Returns how many were due.
    package func sweep(limit: Int = 256) async throws(LoginFlowError) -> Int {
        try await self.sweeping.sweep(limit: limit)
    }

    /// What a held request waits for.
    package enum Place: Sendable {
        case poll
        case page
    }

    /// See `Waiters.begin`. The caller has shown that the login is its own.
    package func wait(for id: LoginID, in place: Place, _ waiter: any LoginWaiter) {
        self.waiters(place).begin(for: id, waiter)
    }

    package func stopWaiting(for id: LoginID, in place: Place, _ waiter: any LoginWaiter) {
        self.waiters(place).end(id, waiter)
    }

    private func waiters(_ place: Place) -> Waiters {
        switch place {
        case .poll: self.waiters.polls
        case .page: self.waiters.pages
        }
    }

    /// How many requests are held.
    package var waiting: Int { self.waiters.polls.count + self.waiters.pages.count }

    /// Wakes every held poll and waits for the exchanges that are under way: we are about to stop.
    package func finish() async {
        self.exchange.prepareToStop()
        self.waiters.polls.wakeAll()
        self.waiters.pages.wakeAll()
        await self.polling.stop()
        await self.exchange.finish()
    }
}
