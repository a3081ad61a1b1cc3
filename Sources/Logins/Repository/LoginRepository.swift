/// The stored logins and the rules they live under. Nobody else talks to the store or keeps rules.
///
/// Every change of a login is one compare-and-swap on its row, and whoever waits for the login or follows it is told here.
import Base
import Brokers

final class LoginRepository: Sendable {
    private let store: any LoginStore
    private let rulebook: LoginRulebook
    private let waiters: LoginWaiters
    private let pending: PendingLogins
    private let observe: @Sendable (LoginEvent) -> Void
    let now: @Sendable () -> Timestamp

    init(
        _ rules: LoginRules, store: any LoginStore, _ waiters: LoginWaiters, _ pending: PendingLogins,
        now: @escaping @Sendable () -> Timestamp, observe: @escaping @Sendable (LoginEvent) -> Void
    ) {
        self.store = store
        self.rulebook = LoginRulebook(rules)
        self.waiters = waiters
        self.pending = pending
        self.now = now
        self.observe = observe
    }

    /// A login as a transition has left it, and what the transition answered.
    struct Changed<Action> {
        let snapshot: LoginSnapshot
        let action: Action

        var login: Login { self.snapshot.login }
    }
}

// MARK: - Rules

extension LoginRepository {
    /// Every key that a login under way may need; the first is of today's.
    var keys: ServerKeys { self.rulebook.keys }

    /// The broker of this name before it is known whose login it is: today's, or else the last that had the name.
    func broker(_ id: String) -> (any Broker)? { self.rulebook.broker(id) }

    /// For a login that begins now: its rules, and when it began.
    func begin() -> (rules: LoginRules, at: Timestamp) { self.rulebook.begin(self.now) }

    /// Logins that begin from now on have these rules; those under way end under theirs.
    func replaceRules(with rules: LoginRules) { self.rulebook.replace(with: rules, at: self.now) }

    /// The rules that no login under way began with. They are forgotten.
    func retireRules() -> [LoginRules] { self.rulebook.retire(at: self.now()) }
}

// MARK: - Reading

extension LoginRepository {
    /// Nil when there is no such login, or no key of ours believes its row. What time alone does has been done before.
    nonisolated(nonsending) func read(_ id: LoginID) async throws(LoginFlowError) -> LoginSnapshot? {
        try await self.change(id) { _, _ in }?.snapshot
    }

    /// The same for whoever has the secret. An unknown id and a wrong secret are the same refusal.
    nonisolated(nonsending) func read(_ id: LoginID, _ secret: PollSecret) async throws(LoginFlowError) -> LoginSnapshot
    {
        guard let snapshot = try await self.read(id),
            equalInConstantTime(snapshot.login.pollVerifier, secret.verifier(of: id))
        else { throw .unknownLogin }
        return snapshot
    }

    /// How many logins are open.
    nonisolated(nonsending) func openCount() async throws(LoginFlowError) -> Int {
        do { return try await self.store.openCount() } catch { throw self.unreachable(error) }
    }

    /// Whether the store answers. Nothing is logged when it does not.
    func storeAnswers() async -> Bool { (try? await self.store.probe()) != nil }

    nonisolated(nonsending) private func load(_ id: LoginID) async throws(LoginFlowError) -> LoginSnapshot? {
        let row: SealedLogin?
        do { row = try await self.store.load(id) } catch { throw self.unreachable(error) }
        return row.flatMap { self.open($0) }
    }

    // Not inlined, so that its locals lie on the stack.
    @inline(never) private func open(_ row: SealedLogin) -> LoginSnapshot? {
        do throws(RowError) {
            let (login, key) = try LoginSeal.open(row, keys: self.rulebook.keys)
            return LoginSnapshot(login, under: key, self.rulebook.rules(of: login))
        } catch {
            self.observe(LoginEvent(.rowRefused(error), id: row.id))
            return nil
        }
    }

    /// The one translation of a store that cannot be reached. The store itself logs the cause.
    private func unreachable(_: StoreError) -> LoginFlowError {
        self.observe(LoginEvent(.storeFailed))
        return .storeUnavailable
    }
}

// MARK: - Changing

extension LoginRepository {
    /// Keeps a new login. False when its id is taken.
    nonisolated(nonsending) func insert(_ new: LoginSnapshot) async throws(LoginFlowError) -> Bool {
        do {
            return try await self.store.insert(LoginSeal.seal(new.login, under: new.key))
        } catch { throw self.unreachable(error) }
    }

    /// Runs `transition` on the stored login and keeps the result. Nil when there is no such login.
    ///
    /// It runs again whenever another writer was faster, so it must be pure. What time alone does has been done before.
    /// `telling` names the step that brought the change, if there was one. It is told before what follows from it.
    nonisolated(nonsending) func change<Action>(
        _ id: LoginID, telling: (Action) -> LoginEvent.Step? = { _ in nil },
        _ transition: (inout Login, ServerKey) -> Action
    ) async throws(LoginFlowError) -> Changed<Action>? {
        try await self.change(id, from: nil, confirms: false, telling, transition)
    }

    /// The same on a login that was read before: it is loaded again only if another writer was faster.
    ///
    /// A change of an old login cannot be written. That there is nothing to change cannot be seen from it either: where a
    /// broker was asked since it was read, `confirms` has that looked up.
    nonisolated(nonsending) func change<Action>(
        _ known: LoginSnapshot, confirms: Bool = false, telling: (Action) -> LoginEvent.Step? = { _ in nil },
        _ transition: (inout Login, ServerKey) -> Action
    ) async throws(LoginFlowError) -> Changed<Action>? {
        try await self.change(known.id, from: known, confirms: confirms, telling, transition)
    }

    nonisolated(nonsending) private func change<Action>(
        _ id: LoginID, from known: LoginSnapshot?, confirms: Bool, _ telling: (Action) -> LoginEvent.Step?,
        _ transition: (inout Login, ServerKey) -> Action
    ) async throws(LoginFlowError) -> Changed<Action>? {
        var known = known
        for _ in 0..<100 {
            let isKnown = known != nil
            if known == nil { known = try await self.load(id) }
            guard let before = known else { return nil }
            known = nil
            let attempt = self.attempt(on: before, transition)
            guard let row = attempt.row else {
                if isKnown, confirms { continue }
                return attempt.changed
            }
            guard try await self.replace(row, before.login.revision) else { continue }
            if let changed = attempt.changed, let cause = telling(changed.action) {
                self.observe(LoginEvent(cause, changed.login))
            }
            self.tell(attempt.after, after: before)
            return attempt.changed
        }
        throw .storeUnavailable
    }

    /// One try of `change`.
    private struct Attempt<Action> {
        let after: LoginSnapshot
        /// Nil where time has ended all that was known of the login.
        let changed: Changed<Action>?
        /// What is to be kept; nil when nothing has changed.
        let row: SealedLogin?
    }

    // Not inlined, so that its locals lie on the stack.
    @inline(never) private func attempt<Action>(
        on before: LoginSnapshot, _ transition: (inout Login, ServerKey) -> Action
    ) -> Attempt<Action> {
        var login = before.login
        while login.lapse(at: self.now()) {}
        // Known for as long as was promised; the sweep will remove it. It is written, so that a clock that was ahead does not
        // bring it back.
        let isOver = if case .gone(_, let until) = login.state { self.now() >= until } else { false }
        let action = isOver ? nil : transition(&login, before.key)
        guard login != before.login else {
            return Attempt(after: before, changed: action.map { Changed(snapshot: before, action: $0) }, row: nil)
        }
        login.revision = before.login.revision + 1
        let after = before.with(login)
        return Attempt(
            after: after, changed: action.map { Changed(snapshot: after, action: $0) },
            row: LoginSeal.seal(login, under: before.key))
    }

    nonisolated(nonsending) private func replace(
        _ row: SealedLogin, _ revision: Int64
    ) async throws(LoginFlowError) -> Bool {
        do { return try await self.store.replace(row, revision: revision) } catch { throw self.unreachable(error) }
    }
}

// MARK: - Telling

extension LoginRepository {
    /// A step that is no change of a login, or that no change shows.
    func tell(_ step: LoginEvent.Step, of login: LoginSnapshot?) { self.observe(LoginEvent(step, login?.login)) }

    /// The same of a login that an app was shown.
    func tell(_ step: LoginEvent.Step, of view: LoginView) { self.observe(LoginEvent(step, view)) }

    private func tell(_ after: LoginSnapshot, after before: LoginSnapshot) {
        let (login, before) = (after.login, before.login)
        self.waiters.wake(login, after: before)
        for step in login.steps(since: before) { self.observe(LoginEvent(step, login)) }
        guard before.isOpen, !login.isOpen, login.status != nil else { return }
        self.pending.end(login.id)
        self.observe(LoginEvent(.ended(after: self.now() - login.createdAt), login))
    }
}

// MARK: - Sweeping

extension LoginRepository {
    /// What a sweep has done, and how many logins were due.
    struct Swept<Action> {
        let due: Int
        let changed: [Changed<Action>]
    }

    /// A row that is due, and what becomes of it.
    private struct DueLogin<Action> {
        let change: SweptLogin
        /// Nil where the row is removed.
        var login: (before: LoginSnapshot, changed: Changed<Action>)?
    }

    /// Does to up to `limit` logins that are due what time does, then runs `transition`; removes those that are gone for good.
    func sweep<Action>(
        limit: Int, _ transition: (inout Login, LoginRules, Timestamp) -> Action
    ) async throws(LoginFlowError) -> Swept<Action> {
        let now = self.now()
        let done: [Bool]
        let due: [DueLogin<Action>]
        do {
            due = try await self.store.due(at: now, limit: limit).map { self.sweep($0, at: now, transition) }
            done = due.isEmpty ? [] : try await self.store.settle(due.map(\.change))
        } catch { throw self.unreachable(error) }
        // Where another writer was faster, the row is as that one left it, and due again when its time has come.
        let changed = zip(due, done).compactMap { due, isDone in isDone ? due.login : nil }
        for (before, changed) in changed { self.tell(changed.snapshot, after: before) }
        return Swept(due: due.count, changed: changed.map(\.changed))
    }

    private func sweep<Action>(
        _ row: SealedLogin, at now: Timestamp, _ transition: (inout Login, LoginRules, Timestamp) -> Action
    ) -> DueLogin<Action> {
        let removed = DueLogin<Action>(change: .remove(row.id, revision: row.revision))
        // A row that no key of ours opens: nothing can come of it any more.
        guard let before = self.open(row) else { return removed }
        var login = before.login
        while login.lapse(at: now) {}
        let action = transition(&login, before.rules, now)
        // Gone for good.
        guard login.due > now else { return removed }
        login.revision = before.login.revision + 1
        let after = before.with(login)
        return DueLogin(
            change: .replace(LoginSeal.seal(login, under: before.key), revision: before.login.revision),
            login: (before, Changed(snapshot: after, action: action)))
    }
}
