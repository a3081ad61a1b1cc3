import Base
import Brokers

/// Runs logins from start to end: each request of an app or a browser goes to the step that handles it.
///
///     the app            LoginCreation ─────────────▶ pending
///                             │ (its link at once)       │
///     a browser          AuthorizationRedirect ──────────┤ asks the broker through AuthorizationAttemptFactory
///                                                        │
///     the broker's       CallbackAcceptance ◀── a browser, AppReturn (a link to the app)
///     response                │         ▲
///                             │    BrokerPolling ◀── a backchannel transaction
///                             ▼         │ (a token response)
///                        CodeExchange ◀─┘            exchanging
///                             │
///              ┌──────────────┴────────────┐
///              ▼                           ▼
///          completed ◀── ProofCheck ── awaitingReturn
///              │          (AppReturn: a link, the code on the page)
///              ▼
///          acknowledged, and gone
///
/// LoginCancellation and LoginSweep end a login from any state that is not final. The sweep also resumes what a killed
/// process left unfinished, with CodeExchange and BrokerPolling. LoginViews and PageViews decide what an app and a
/// browser may see.
///
/// Every step reads and changes logins through `LoginRepository` only. No lock is held while we wait for a broker.
package final class LoginFlow: Sendable {
    let repository: LoginRepository
    let exchange: CodeExchange
    let polling: BrokerPolling
    private let waiters: LoginWaiters
    private let views: LoginViews
    private let pages: PageViews
    private let creation: LoginCreation
    private let authorization: AuthorizationRedirect
    private let acceptance: CallbackAcceptance
    private let appReturn: AppReturn
    private let cancellation: LoginCancellation
    private let sweeping: LoginSweep

    package init(
        _ configuration: LoginConfiguration, store: any LoginStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (LoginEvent) -> Void
    ) {
        let waiters = LoginWaiters(store: store)
        let pending = PendingLogins()
        let repository = LoginRepository(configuration, store: store, waiters, pending, now: now, observe: observe)
        let (views, pages, maker) = (LoginViews(now: now), PageViews(now: now), AuthorizationAttemptFactory(now: now))
        let exchange = CodeExchange(repository)
        let acceptance = CallbackAcceptance(repository, exchange)
        let polling = BrokerPolling(repository, acceptance, exchange, waiters.transactions)
        let renewal = LinkRenewal(repository, maker, polling, views)
        self.repository = repository
        self.exchange = exchange
        self.polling = polling
        self.waiters = waiters
        self.views = views
        self.pages = pages
        self.creation = LoginCreation(repository, pending, maker, polling, renewal, views)
        self.authorization = AuthorizationRedirect(repository, pending, maker, polling, pages)
        self.acceptance = acceptance
        self.appReturn = AppReturn(repository, acceptance, ProofCheck(repository: repository), renewal, views)
        self.cancellation = LoginCancellation(repository, waiters.polls)
        self.sweeping = LoginSweep(repository, exchange, polling)
    }
}

// MARK: - Requests of an app

extension LoginFlow {
    /// Creates the login of this secret. The same secret with the same request gives the same login on every machine.
    nonisolated(nonsending) package func create(
        _ request: LoginRequest, secret: PollSecret, by caller: ClientContext = ClientContext()
    ) async throws(LoginFlowError) -> (view: LoginView, isNew: Bool) {
        try await self.creation.create(request, secret: secret, by: caller)
    }

    /// Returns the current view of the login.
    nonisolated(nonsending) package func loadView(
        _ id: LoginID, secret: PollSecret
    ) async throws(LoginFlowError) -> LoginView {
        try self.views.view(of: try await self.repository.read(id, secret), secret)
    }

    /// Handles the return to the app, with the link that opened it if there was one.
    package func handleReturn(
        _ id: LoginID, secret: PollSecret, link: ReturnLink?, by caller: ClientContext = ClientContext()
    ) async throws(LoginFlowError) -> LoginView {
        try await self.appReturn.handleReturn(id, secret, link: link, by: caller)
    }

    /// Handles the return to the app with the code that the user read on the page.
    package func handleReturn(_ id: LoginID, secret: PollSecret, code: String) async throws(LoginFlowError) -> LoginView
    {
        try await self.appReturn.handleReturn(id, secret, code: code)
    }

    /// Cancels the login. While a code is being redeemed, it first waits up to `limit` for the outcome.
    package func cancel(
        _ id: LoginID, secret: PollSecret, waiting limit: Duration
    ) async throws(LoginFlowError) -> LoginView {
        try self.views.view(of: try await self.cancellation.cancel(id, secret, waiting: limit), secret)
    }

    /// Wipes the result, because the app has stored it. A second call does nothing.
    package func acknowledge(_ id: LoginID, secret: PollSecret) async throws(LoginFlowError) {
        let snapshot = try await self.repository.readRecent(id, secret)
        let change = try await self.repository.change(snapshot, confirms: true) { login, _ in
            login.acknowledge(at: self.repository.now())
        }
        switch change?.action {
        case .wiped?: self.repository.emit(.acknowledged, of: change?.snapshot)
        case .alreadyGone?: return
        case .notFinal?: throw .notFinal
        case nil: throw .unknownLogin
        }
    }

    /// Records that a response to the app contains the result of this login.
    package func noteDelivery(of view: LoginView) { self.repository.emit(.delivered, of: view) }
}

// MARK: - Requests of a browser

extension LoginFlow {
    /// Handles a browser that opens the `/go` link: to start the login, to continue it, or to see its page again.
    package func startAuthorization(
        _ startToken: String, languages: [String], cookies: [Parameter] = [],
        by caller: ClientContext = ClientContext()
    ) async -> StartOutcome {
        await self.authorization.start(startToken, languages: languages, cookies: cookies, by: caller)
    }

    /// The names of the parameters that only a response of this broker has.
    package func responseNames(of broker: String) -> Set<String> {
        self.repository.broker(broker)?.responseNames ?? ResponseParameters.names
    }

    /// Takes the broker's authorization response from a browser. It never fails: a response that we cannot match
    /// changes nothing.
    package func acceptCallback(
        broker: String, parameters: [Parameter], cookies: [Parameter] = [],
        by caller: ClientContext = ClientContext()
    ) async -> CallbackOutcome {
        await self.acceptance.accept(broker: broker, parameters, cookies: cookies, by: caller)
    }

    /// Reports a callback that cannot contain an authorization response.
    package func ignoreCallback(_ cause: LoginEvent.IgnoredCallback) {
        self.repository.emit(.callbackIgnored(cause), of: LoginID?.none)
    }

    /// Returns the current page for this token, or nil if the token is not ours. A foreign token costs no store access.
    package func loadPage(_ pageToken: String) async -> PageView? {
        guard let token = PageToken(pageToken, keys: self.repository.keys) else { return nil }
        do throws(LoginFlowError) {
            guard let snapshot = try await self.repository.read(token.login) else { return nil }
            return self.pages.page(of: snapshot, for: token)
        } catch {
            return PageView(.unavailable)
        }
    }

    /// Returns the login that a page token belongs to, so that the caller can wait for it. Nil if the token is not
    /// ours.
    package func login(ofPage pageToken: String) -> LoginID? {
        PageToken(pageToken, keys: self.repository.keys)?.login
    }
}

// MARK: - Tasks of the server

extension LoginFlow {
    /// Sets the configuration of new logins. Logins in progress end under the configuration they began with.
    package func replaceConfiguration(with configuration: LoginConfiguration) {
        self.repository.replaceConfiguration(with: configuration)
    }

    /// Drops and returns the configurations that no login needs any more.
    package func retireConfigurations() -> [LoginConfiguration] { self.repository.retireConfigurations() }

    /// Processes up to `limit` logins that are due: it expires them, wipes them, removes them or resumes their
    /// unfinished work. Returns how many were due.
    package func sweep(limit: Int = 256) async throws(LoginFlowError) -> Int {
        try await self.sweeping.sweep(limit: limit)
    }

    /// Resumes what an earlier process has left, if the store knows that it has ended.
    package func takeOver() async throws(LoginFlowError) { try await self.sweeping.takeOver() }

    /// The kind of request that waits.
    package enum WaitTarget: Sendable {
        case poll
        case page
    }

    /// Starts to wait, see `WaiterRegistry.add`. The caller must have checked that the login belongs to the requester.
    package func wait(for id: LoginID, in place: WaitTarget, _ waiter: any LoginWaiter) {
        self.waiters(place).add(for: id, waiter)
    }

    package func stopWaiting(for id: LoginID, in place: WaitTarget, _ waiter: any LoginWaiter) {
        self.waiters(place).remove(id, waiter)
    }

    private func waiters(_ place: WaitTarget) -> WaiterRegistry {
        switch place {
        case .poll: self.waiters.polls
        case .page: self.waiters.pages
        }
    }

    /// The number of long polls that wait.
    package var waitingCount: Int { self.waiters.polls.count + self.waiters.pages.count }

    /// Wakes every long poll and waits for the code exchanges that are running, before the process stops.
    package func finish() async {
        self.exchange.prepareToStop()
        self.waiters.polls.wakeAll()
        self.waiters.pages.wakeAll()
        await self.polling.stop()
        await self.exchange.finish()
    }
}
