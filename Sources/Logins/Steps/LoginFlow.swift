import Base
import Brokers

/// Runs logins from start to end. Each request of an app or a browser is a function of this type, in the file of its
/// step:
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
/// `CodeExchange`, `BrokerPolling` and `CallbackAcceptance` are types of their own, because they also work when there
/// is no request. Every step reads and changes logins through `LoginRepository` only. No lock is held while we wait for
/// a broker.
package final class LoginFlow: Sendable {
    let repository: LoginRepository
    let waiters: LoginWaiters
    let pending = PendingLogins()
    let views: LoginViews
    let pages: PageViews
    let attempts: AuthorizationAttemptFactory
    let proofs: ProofCheck
    let exchange: CodeExchange
    let acceptance: CallbackAcceptance
    let polling: BrokerPolling

    package init(
        _ configuration: LoginConfiguration, store: any LoginStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (LoginEvent) -> Void,
        count: @escaping @Sendable (StageCount) -> Void = { _ in }
    ) {
        self.waiters = LoginWaiters(store: store)
        self.repository = LoginRepository(
            configuration, store: store, self.waiters, self.pending, now: now, observe: observe, count: count)
        self.views = LoginViews(now: now)
        self.pages = PageViews(now: now)
        self.attempts = AuthorizationAttemptFactory(now: now)
        self.proofs = ProofCheck(repository: self.repository)
        self.exchange = CodeExchange(self.repository)
        self.acceptance = CallbackAcceptance(self.repository, self.exchange)
        self.polling = BrokerPolling(self.repository, self.acceptance, self.exchange, self.waiters.transactions)
    }
}

// MARK: - Requests of an app

extension LoginFlow {
    /// Returns the current view of the login.
    nonisolated(nonsending) package func loadView(
        _ id: LoginID, secret: PollSecret
    ) async throws(LoginFlowError) -> LoginView {
        try self.views.view(of: try await self.repository.read(id, secret), secret)
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
    package func noteDelivery(of view: LoginView) { self.repository.emitDelivery(of: view) }
}

// MARK: - Requests of a browser

extension LoginFlow {
    /// The names of the parameters that only a response of this broker has.
    package func responseNames(of broker: String) -> Set<String> {
        self.repository.broker(broker)?.responseNames ?? ResponseParameters.names
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

    /// Gives the user of this page more time to return to the app, once. Nothing changes if the page does not wait for
    /// its user, or if the login went on in another window. Returns false if the token is not ours.
    nonisolated(nonsending) package func giveMoreTime(_ pageToken: String) async throws(LoginFlowError) -> Bool {
        guard let token = PageToken(pageToken, keys: self.repository.keys) else { return false }
        guard let snapshot = try await self.repository.read(token.login) else { return false }
        guard self.pages.mayGetMoreTime(token, of: snapshot) else { return true }
        _ = try await self.repository.change(snapshot) { login, _ in login.giveMoreTime(snapshot.returnTimeout) }
        return true
    }

    /// Returns the login that a page token belongs to, so that the caller can wait for it. Nil if the token is not
    /// ours.
    package func login(ofPage pageToken: String) -> LoginID? {
        PageToken(pageToken, keys: self.repository.keys)?.login
    }
}

// MARK: - Requests of an operator

extension LoginFlow {
    /// How long what happened to a login is kept. Zero: it is not.
    package var noteLifetime: Duration { self.repository.noteLifetime }

    /// Returns what is known of the logins with this reference, such as `K7QX-2M4P`. Empty if no notes are kept, or if
    /// the time of the login's note is over.
    package func notes(ofReference reference: String) async throws(StoreError) -> [LoginNote] {
        try await self.repository.notes(ofReference: reference)
    }
}

// MARK: - Tasks of the server

extension LoginFlow {
    /// Sets the configuration of new logins, and returns since when it is that. Logins in progress end under the
    /// configuration they began with.
    package func replaceConfiguration(with configuration: LoginConfiguration) -> Timestamp {
        self.repository.configurations.replace(with: configuration, at: self.repository.now)
    }

    /// Drops the configurations that no login needs any more.
    package func retireConfigurations(at now: Timestamp) { self.repository.configurations.retire(at: now) }

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
