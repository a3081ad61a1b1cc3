/// Sees logins through: what the API and the browser ask for becomes transitions of stored logins and talks with brokers.
///
/// Every change of a login is one compare-and-swap on its row. Nothing is held while a broker is asked.
import Base
import Brokers
import Synchronization

package final class LoginFlow: Sendable {
    /// What an app has to do with its logins.
    package struct App: Sendable {
        /// The rule of each provider that it has. It starts no login with any other.
        package let releases: [String: Release]
        /// Links that open the app.
        package let returnPrefixes: [String]
        /// How its assertions are made; nil where it gets none.
        package let assertion: AssertionTerms?
        /// Whether links of its own scheme may carry a proof. Another app on the phone may have claimed the scheme too.
        package var provesOverScheme = false

        package init(releases: [String: Release], returnPrefixes: [String], assertion: AssertionTerms? = nil) {
            self.releases = releases
            self.returnPrefixes = returnPrefixes
            self.assertion = assertion
        }
    }

    package struct Settings: Sendable {
        /// Without a slash at its end.
        package let publicURL: String
        /// How links begin that a browser opens first.
        let startURL: String
        package var apps: [String: App] = [:]
        package var lifetime = Duration.seconds(600)
        package var resultTTL = Duration.seconds(600)
        /// How many logins may be pending at once.
        package var pendingLimit = 100_000
        /// How long redeeming a code may take in all.
        package var exchangeDeadline = Duration.seconds(10)

        package init(publicURL: String) {
            self.publicURL = publicURL
            self.startURL = "\(publicURL)/go/"
        }
    }

    let book: LoginRulebook
    let store: any LoginStore
    let waiters: Waiters
    /// Browsers that look at a page: whoever knows a login's id can be one, so they take no app's place.
    let pageWaiters: Waiters
    let tripWaiters: Waiters
    /// Each ends by its own deadline, or with its login where the store is away.
    let exchanges = TasksUnderWay()
    let trips = TasksUnderWay()
    let pending = PendingLogins()
    let walked = OpeningsUnderWay()
    let exchanged = OpeningsUnderWay()
    let isStopping = Atomic(false)
    let now: @Sendable () -> Timestamp
    let observe: @Sendable (LoginEvent) -> Void

    package init(
        _ rules: LoginRules, store: any LoginStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (LoginEvent) -> Void
    ) {
        self.book = LoginRulebook(rules)
        self.store = store
        self.waiters = Waiters(store: store)
        self.pageWaiters = Waiters(store: store)
        self.tripWaiters = Waiters(mostForOneLogin: Opening.mostAtOnce, store: store)
        self.now = now
        self.observe = observe
        store.observeChanges { [weak waiters, weak pageWaiters, weak tripWaiters] login in
            waiters?.wake(login)
            pageWaiters?.wake(login)
            tripWaiters?.wake(login)
        }
    }

    /// Logins that begin from now on have these rules; those under way end under theirs.
    package func replaceRules(with rules: LoginRules) { self.book.replace(with: rules, at: self.now) }

    /// The rules that no login under way began with. They are forgotten.
    package func retireRules() -> [LoginRules] { self.book.retire(at: self.now()) }

    /// How many requests are held.
    package var waiting: Int { self.waiters.count + self.pageWaiters.count }

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
        case .poll: self.waiters
        case .page: self.pageWaiters
        }
    }

    /// Wakes every held poll and waits for the exchanges that are under way: we are about to stop.
    package func finish() async {
        self.isStopping.store(true, ordering: .relaxed)
        self.waiters.wakeAll()
        self.pageWaiters.wakeAll()
        self.trips.cancel()
        await self.trips.finish()
        await self.exchanges.finish()
    }
}

// MARK: - Reading and changing a login

extension LoginFlow {
    /// A login as it was read or has just been written, the key of its seals, and what the transition answered.
    struct Changed<Action> {
        let login: Login
        let key: ServerKey
        let action: Action
    }

    /// Runs `transition` on the stored login and keeps the result. Nil when there is no such login.
    ///
    /// It runs again whenever another writer was faster, so it must be pure. What time alone does has been done before.
    /// `telling` names the step that brought the change, if there was one. It is told before what follows from it.
    nonisolated(nonsending) func change<Action>(
        _ id: LoginID, telling: (Action) -> LoginEvent.Step? = { _ in nil },
        _ transition: (inout Login, ServerKey) -> Action
    ) async throws(Refusal) -> Changed<Action>? {
        for _ in 0..<100 {
            guard let row = try await self.load(id), let step = self.step(from: row, transition) else { return nil }
            guard let next = step.row else { return step.changed }
            guard try await self.replace(next, row.revision) else { continue }
            if let changed = step.changed, let cause = telling(changed.action) {
                self.observe(LoginEvent(cause, changed.login))
            }
            self.tell(of: step)
            return step.changed
        }
        throw .storeUnavailable
    }

    /// One try of `change`. A class for the same reason as `NewLogin`.
    private final class Step<Action> {
        let before: Login
        let after: Login
        /// Nil where time has ended all that was known of the login.
        let changed: Changed<Action>?
        /// What is to be kept; nil when nothing has changed.
        let row: SealedLogin?

        init(before: Login, after: Login, _ changed: Changed<Action>?, row: SealedLogin?) {
            self.before = before
            self.after = after
            self.changed = changed
            self.row = row
        }
    }

    // Not inlined, so that its locals lie on the stack.
    @inline(never) private func step<Action>(
        from row: SealedLogin, _ transition: (inout Login, ServerKey) -> Action
    ) -> Step<Action>? {
        guard let (before, key) = self.open(row) else { return nil }
        var login = before
        while login.lapse(at: self.now()) {}
        // Known for as long as was promised; the sweep will remove it. It is written, so that a clock that was ahead does not
        // bring it back.
        let isOver = if case .gone(_, let until) = login.state { self.now() >= until } else { false }
        let action = isOver ? nil : transition(&login, key)
        let isChanged = login != before
        if isChanged { login.revision = before.revision + 1 }
        return Step(
            before: before, after: login, action.map { Changed(login: login, key: key, action: $0) },
            row: isChanged ? LoginSeal.seal(login, under: key) : nil)
    }

    @inline(never) private func tell<Action>(of step: Step<Action>) {
        self.tell(of: step.after, after: step.before)
    }

    func tell(of login: Login, after before: Login) {
        if login.version != before.version {
            self.waiters.wake(login.id)
        }
        // The page also says when the tries of its code are used up, which is no change for the app.
        if login.version != before.version || login.mayTryCode != before.mayTryCode { self.pageWaiters.wake(login.id) }
        if login.version != before.version || login.returns != before.returns { self.tripWaiters.wake(login.id) }
        for step in login.steps(since: before) { self.observe(LoginEvent(step, login)) }
        guard before.isOpen, !login.isOpen, login.status != nil else { return }
        self.pending.end(login.id)
        self.observe(LoginEvent(.ended(after: self.now() - login.createdAt), login))
    }

    func open(_ row: SealedLogin) -> (Login, ServerKey)? {
        do throws(LoginSeal.Failure) {
            return try LoginSeal.open(row, keys: self.book.keys)
        } catch {
            self.observe(LoginEvent(.rowRefused(error), id: row.id))
            return nil
        }
    }
}

// MARK: - The store, with its failures in our words

extension LoginFlow {
    nonisolated(nonsending) func load(_ id: LoginID) async throws(Refusal) -> SealedLogin? {
        do { return try await self.store.load(id) } catch { throw self.storeFailed(error) }
    }

    nonisolated(nonsending) func insert(_ row: SealedLogin) async throws(Refusal) -> Bool {
        do { return try await self.store.insert(row) } catch { throw self.storeFailed(error) }
    }

    nonisolated(nonsending) func replace(_ row: SealedLogin, _ revision: Int64) async throws(Refusal) -> Bool {
        do { return try await self.store.replace(row, revision: revision) } catch { throw self.storeFailed(error) }
    }

    /// `StoreError` has one case, and the store itself logs the cause.
    func storeFailed(_: StoreError) -> Refusal {
        self.observe(LoginEvent(.storeFailed))
        return .storeUnavailable
    }
}
