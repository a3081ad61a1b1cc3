import Base
import Brokers
import Traces

/// The stored logins and the configurations they live under. Only this class accesses the store.
///
/// Every change of a login is one compare-and-swap on its row. After each change this class wakes the waiters and
/// reports the events.
final class LoginRepository: Sendable {
    private let store: any LoginStore
    let configurations: LoginConfigurationHistory
    private let waiters: LoginWaiters
    private let pending: PendingLogins
    private let deliveries = Deliveries()
    private let recorder = FlightRecorder()
    private let observe: @Sendable (LoginEvent) -> Void
    private let count: @Sendable (StageCount) -> Void
    let now: @Sendable () -> Timestamp

    init(
        _ configuration: LoginConfiguration, store: any LoginStore, _ waiters: LoginWaiters, _ pending: PendingLogins,
        now: @escaping @Sendable () -> Timestamp, observe: @escaping @Sendable (LoginEvent) -> Void,
        count: @escaping @Sendable (StageCount) -> Void
    ) {
        self.store = store
        self.configurations = LoginConfigurationHistory(configuration)
        self.waiters = waiters
        self.pending = pending
        self.now = now
        self.observe = observe
        self.count = count
    }

    /// A login after a transition, with the action that the transition returned.
    struct ChangeResult<Action> {
        let snapshot: LoginSnapshot
        let action: Action

        var login: Login { self.snapshot.login }
    }
}

// MARK: - Configuration

extension LoginRepository {
    /// Every key that a login in progress may need. The first key is the current one.
    var keys: ServerKeys { self.configurations.keys }

    /// Returns the broker of this name, for use before we know the login. It prefers the current configuration to older
    /// ones.
    func broker(_ id: String) -> (any Broker)? { self.configurations.broker(id) }

    /// Returns whether the provider is switched off now, whatever the configuration of a login says. One that was removed
    /// is not: its logins end under their own configuration.
    func isOff(_ provider: String) -> Bool {
        self.configurations.current.providers[provider].map { !$0.isEnabled } ?? false
    }

    /// Returns the configuration of a login that begins now, and its time of creation.
    func beginLogin() -> (configuration: LoginConfiguration, at: Timestamp) { self.configurations.begin(self.now) }
}

// MARK: - Reading

extension LoginRepository {
    /// Returns the login after applying what is due (`lapse`). Nil if there is no such login, or if none of our keys
    /// verifies its row.
    nonisolated(nonsending) func read(_ id: LoginID) async throws(LoginFlowError) -> LoginSnapshot? {
        try await self.change(id) { _, _ in }?.snapshot
    }

    /// Returns the login of a caller that knows its secret. An unknown id and a wrong secret throw the same error.
    nonisolated(nonsending) func read(_ id: LoginID, _ secret: PollSecret) async throws(LoginFlowError) -> LoginSnapshot
    {
        try Self.check(try await self.read(id), secret)
    }

    /// Returns the login as this process has used it last, if the store knows. What it shows may be over: only what
    /// never changes, such as its broker, is certain. So use it only for a change that `confirms`.
    func recent(_ id: LoginID) -> LoginSnapshot? {
        guard let snapshot = self.store.recent(id).flatMap({ self.unseal($0) }) else { return nil }
        WorkContext.note(id)
        return snapshot
    }

    /// Returns the recent login, or reads it.
    nonisolated(nonsending) func readRecent(_ id: LoginID) async throws(LoginFlowError) -> LoginSnapshot? {
        if let recent = self.recent(id) { return recent }
        return try await self.read(id)
    }

    /// The same for a caller that knows the secret.
    nonisolated(nonsending) func readRecent(
        _ id: LoginID, _ secret: PollSecret
    ) async throws(LoginFlowError) -> LoginSnapshot {
        try Self.check(try await self.readRecent(id), secret)
    }

    private static func check(
        _ snapshot: LoginSnapshot?, _ secret: PollSecret
    ) throws(LoginFlowError) -> LoginSnapshot {
        guard let snapshot, snapshot.login.isMade(with: secret.verifier(of: snapshot.id)) else { throw .unknownLogin }
        return snapshot
    }

    /// Returns how many logins are open.
    nonisolated(nonsending) func openCount() async throws(LoginFlowError) -> Int {
        do { return try await self.store.openCount() } catch { throw self.unreachable(error, .count) }
    }

    /// Returns whether the store responds. It logs nothing if the store does not.
    func isStoreReachable() async -> Bool { (try? await self.store.probe()) != nil }

    nonisolated(nonsending) private func load(_ id: LoginID) async throws(LoginFlowError) -> LoginSnapshot? {
        let row: SealedLogin?
        do { row = try await self.store.load(id) } catch { throw self.unreachable(error, .read, id) }
        guard let snapshot = row.flatMap({ self.unseal($0) }) else { return nil }
        WorkContext.note(id)
        return snapshot
    }

    // Not inlined, so that its locals stay on the stack.
    @inline(never) private func unseal(_ row: SealedLogin) -> LoginSnapshot? {
        do throws(RowError) {
            if row.isTombstone { return try self.unsealTombstone(row) }
            let (login, key) = try LoginSeal.open(row, keys: self.configurations.keys)
            return LoginSnapshot(login, under: key, self.configurations.configuration(at: login.createdAt))
        } catch {
            self.observe(LoginEvent(.rowRefused(error), id: row.id))
            return nil
        }
    }

    /// A tombstone has outlived the configuration of its login, so we show it under the current one.
    private func unsealTombstone(_ row: SealedLogin) throws(RowError) -> LoginSnapshot {
        let (tombstone, key) = try TombstoneSeal.open(row, keys: self.configurations.keys)
        let configuration = self.configurations.configuration(at: self.now())
        return LoginSnapshot(
            tombstone.login(row.id, until: row.due, under: key, configuration), under: key, configuration)
    }

    /// Reports a store that cannot be reached. The store itself logs the cause.
    private func unreachable(_: StoreError, _ work: StoreWork, _ id: LoginID? = nil) -> LoginFlowError {
        self.observe(LoginEvent(.storeFailed(work), id: id))
        return .storeUnavailable
    }
}

// MARK: - Changing

extension LoginRepository {
    /// Stores a new login. Returns false if its id is taken.
    nonisolated(nonsending) func insert(
        _ new: LoginSnapshot, as cause: LoginEvent.Step
    ) async throws(LoginFlowError) -> Bool {
        let note = self.recorder.addition(of: cause, new, after: nil, because: nil, at: self.now())
        do {
            return try await self.store.insert(LoginSeal.seal(new.login, under: new.key), noting: note)
        } catch { throw self.unreachable(error, .write, new.id) }
    }

    /// Runs `transition` on the stored login and stores the result. Returns nil if there is no such login.
    ///
    /// The transition runs again after each conflict with another writer, so it must be pure. What is due (`lapse`) is
    /// applied first. `emitting` names the step that caused the change, if there is one; its event comes before the
    /// events that follow from the change.
    nonisolated(nonsending) func change<Action>(
        _ id: LoginID, emitting: (Action) -> LoginEvent.Step? = { _ in nil },
        _ transition: (inout Login, ServerKey) -> Action
    ) async throws(LoginFlowError) -> ChangeResult<Action>? {
        try await self.change(id, from: nil, confirms: false, emitting, because: nil, transition)
    }

    /// Changes a login that was read before. It loads the login again only after a conflict with another writer.
    ///
    /// A stale copy cannot be written, because its revision does not match. But a stale copy can wrongly show that
    /// nothing needs to change. Set `confirms` if we asked a broker since the login was read, or if it is only recent: it
    /// then checks the stored row. `failure` is what the broker did, if the change may end the login for that.
    nonisolated(nonsending) func change<Action>(
        _ snapshot: LoginSnapshot, confirms: Bool = false, emitting: (Action) -> LoginEvent.Step? = { _ in nil },
        because failure: BrokerError? = nil, _ transition: (inout Login, ServerKey) -> Action
    ) async throws(LoginFlowError) -> ChangeResult<Action>? {
        try await self.change(
            snapshot.id, from: snapshot, confirms: confirms, emitting, because: failure, transition)
    }

    nonisolated(nonsending) private func change<Action>(
        _ id: LoginID, from snapshot: LoginSnapshot?, confirms: Bool, _ emitting: (Action) -> LoginEvent.Step?,
        because failure: BrokerError?, _ transition: (inout Login, ServerKey) -> Action
    ) async throws(LoginFlowError) -> ChangeResult<Action>? {
        var knownSnapshot = snapshot
        return try await CompareAndSwap.run(orThrow: .storeUnavailable) { () async throws(LoginFlowError) in
            let isKnown = knownSnapshot != nil
            guard let before = isKnown ? knownSnapshot : try await self.load(id) else { return .done(nil) }
            knownSnapshot = nil
            let attempt = self.attemptChange(on: before, transition)
            guard let row = attempt.row else {
                // What was known may be stale, so look again.
                return confirms && isKnown ? .conflict : .done(attempt.change)
            }
            let cause = attempt.change.flatMap { emitting($0.action) }
            let note = self.recorder.addition(
                of: cause, attempt.after, after: before.login, because: failure ?? cause?.brokerError, at: self.now())
            guard try await self.replace(row, before.login.revision, note) else { return .conflict }
            if let cause, let change = attempt.change { self.observe(LoginEvent(cause, change.login)) }
            self.emit(attempt.after, after: before, because: failure ?? cause?.brokerError)
            return .done(attempt.change)
        }
    }

    /// One try of `change`.
    private struct ChangeAttempt<Action> {
        let after: LoginSnapshot
        /// Nil if the login's tombstone has run out.
        let change: ChangeResult<Action>?
        /// The row to store, or nil if nothing has changed.
        let row: SealedLogin?
    }

    // Not inlined, so that its locals stay on the stack.
    @inline(never) private func attemptChange<Action>(
        on before: LoginSnapshot, _ transition: (inout Login, ServerKey) -> Action
    ) -> ChangeAttempt<Action> {
        var login = before.login
        while login.lapse(at: self.now()) {}
        // A tombstone whose time is over counts as removed; the sweep removes it. We still write the lapse, so that the
        // login does not reappear when a clock that was ahead is set back.
        let isOver = if case .gone(_, let until) = login.state { self.now() >= until } else { false }
        let action = isOver ? nil : transition(&login, before.key)
        guard login != before.login else {
            return ChangeAttempt(
                after: before, change: action.map { ChangeResult(snapshot: before, action: $0) }, row: nil)
        }
        login.revision = before.login.revision + 1
        let after = before.with(login)
        return ChangeAttempt(
            after: after, change: action.map { ChangeResult(snapshot: after, action: $0) },
            row: LoginSeal.seal(login, under: before.key))
    }

    nonisolated(nonsending) private func replace(
        _ row: SealedLogin, _ revision: Int64, _ note: NoteAddition?
    ) async throws(LoginFlowError) -> Bool {
        do {
            let isDone = try await self.store.replace(row, revision: revision, noting: note)
            if isDone, note != nil { self.recorder.noteWritten(row.id) }
            return isDone
        } catch { throw self.unreachable(error, .write, row.id) }
    }
}

// MARK: - Events

extension LoginRepository {
    /// Reports a step that changes no login, or that cannot be derived from a change.
    func emit(_ step: LoginEvent.Step, of login: LoginSnapshot?) { self.report(LoginEvent(step, login?.login)) }

    /// Reports a step of a login that cannot be read, or that of no login.
    func emit(_ step: LoginEvent.Step, of id: LoginID?) { self.observe(LoginEvent(step, id: id)) }

    /// Reports a step of a login that an app was shown.
    func emit(_ step: LoginEvent.Step, of view: LoginView) { self.report(LoginEvent(step, view)) }

    /// Reports that a response to the app contained the result.
    func emitDelivery(of view: LoginView) {
        self.deliveries.note(view.id)
        self.report(LoginEvent(.delivered, view))
    }

    /// Reports a step that no write shows.
    private func report(_ event: LoginEvent) {
        if self.noteLifetime > .zero { self.recorder.keep(event, at: self.now()) }
        self.observe(event)
    }

    /// Reports a login that was stored just now.
    func emitCreation(of new: LoginSnapshot, by agent: UserAgent) {
        for stage in new.login.stagesOfCreation { self.count(StageCount(stage, new.login)) }
        self.observe(LoginEvent(.created(by: agent), new.login))
    }

    private func emit(_ after: LoginSnapshot, after before: LoginSnapshot, because failure: BrokerError? = nil) {
        let (login, before) = (after.login, before.login)
        self.waiters.wake(login, after: before)
        let stages = login.stages(since: before, at: self.now()) { self.deliveries.take(login.id) }
        for stage in stages { self.count(StageCount(stage, before)) }
        if stages.contains(.acknowledged) { self.deliveries.take(login.id) }
        for step in login.steps(since: before) { self.observe(LoginEvent(step, login)) }
        guard let end = login.end(since: before, because: failure, at: self.now()) else { return }
        self.pending.end(login.id)
        self.observe(LoginEvent(end, login))
    }
}

// MARK: - Notes

extension LoginRepository {
    /// How long the notes of logins that begin now are kept. Zero: there are none.
    var noteLifetime: Duration { self.configurations.current.settings.noteLifetime }

    /// Returns what is known of the logins with this reference.
    func notes(ofReference reference: String) async throws(StoreError) -> [LoginNote] {
        let storedNotes: [StoredNote]
        do throws(StoreError) { storedNotes = try await self.store.notes(ofReference: reference) } catch {
            self.observe(LoginEvent(.storeFailed(.read)))
            throw error
        }
        return storedNotes.compactMap {
            LoginNote($0, keys: self.keys, at: self.now(), keptFor: self.noteLifetime)
        }
    }
}

// MARK: - Sweeping

extension LoginRepository {
    /// The name of this process as a holder.
    var processName: String { self.store.processName }

    /// Returns the logins that processes which have ended may have left, and what is known of these processes.
    func takeAbandoned() async throws(LoginFlowError) -> (logins: [LoginSnapshot], holder: Login.HolderState) {
        do {
            // Clocks differ, and another server's lease ends by its own clock.
            let abandoned = try await self.store.takeAbandoned(dueBy: self.now() + Login.leaseDuration * 2)
            return (abandoned.rows.compactMap { self.unseal($0) }, abandoned.ended.map { .lost($0) } ?? .ended)
        } catch { throw self.unreachable(error, .sweep) }
    }

    /// The result of a sweep, and how many logins were due.
    struct SweepReport<Action> {
        let due: Int
        let changes: [ChangeResult<Action>]
    }

    /// A row that is due, and the change to it.
    private struct DueLogin<Action> {
        let change: SweepChange
        /// Nil if the row is removed.
        var login: (before: LoginSnapshot, change: ChangeResult<Action>)?
    }

    /// Applies `lapse` and then `transition` to up to `limit` logins that are due. Removes those whose tombstone has
    /// run out.
    func sweep<Action>(
        limit: Int, _ transition: (inout Login, LoginConfiguration, Timestamp) -> Action
    ) async throws(LoginFlowError) -> SweepReport<Action> {
        let now = self.now()
        let results: [Bool]
        let due: [DueLogin<Action>]
        do {
            due = try await self.store.loadDue(at: now, limit: limit).map { self.sweep($0, at: now, transition) }
            results = due.isEmpty ? [] : try await self.store.apply(due.map(\.change))
        } catch { throw self.unreachable(error, .sweep) }
        // After a conflict the row stays as the other writer left it. It is due again at its own time.
        let changes = zip(due, results).compactMap { due, isDone in isDone ? due.login : nil }
        for (before, change) in changes {
            self.recorder.noteWritten(before.id)
            self.emit(change.snapshot, after: before)
        }
        return SweepReport(due: due.count, changes: changes.map(\.change))
    }

    private func sweep<Action>(
        _ row: SealedLogin, at now: Timestamp, _ transition: (inout Login, LoginConfiguration, Timestamp) -> Action
    ) -> DueLogin<Action> {
        let removal = DueLogin<Action>(change: .remove(row.id, revision: row.revision))
        // No key of ours verifies this row, so its login can never continue.
        guard let before = self.unseal(row) else { return removal }
        var login = before.login
        while login.lapse(at: now) {}
        let action = transition(&login, before.configuration, now)
        // The tombstone has run out.
        guard login.due > now else { return removal }
        login.revision = before.login.revision + 1
        let after = before.with(login)
        let note = self.recorder.addition(of: nil, after, after: before.login, because: nil, at: now)
        return DueLogin(
            change: .replace(
                LoginSeal.seal(login, under: before.key), revision: before.login.revision, noting: note),
            login: (before, ChangeResult(snapshot: after, action: action)))
    }
}
