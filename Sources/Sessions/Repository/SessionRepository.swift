import Base
import Logins
import Synchronization

/// The stored sessions. Only this class accesses the store.
///
/// Every change of a session is one compare-and-swap on its row, sealed under the newest key. After each change this
/// class reports the events.
final class SessionRepository: Sendable {
    /// How many rows of a user are read at a time.
    private static let pageSize = 1000

    private let store: any SessionStore
    private let state: Mutex<SessionConfiguration>
    private let observe: @Sendable (SessionEvent) -> Void
    let now: @Sendable () -> Timestamp

    init(
        _ configuration: SessionConfiguration, store: any SessionStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.store = store
        self.state = Mutex(configuration)
        self.now = now
        self.observe = observe
    }

    /// The configuration of all sessions.
    var configuration: SessionConfiguration {
        get { self.state.withLock { $0 } }
        set { self.state.withLock { $0 = newValue } }
    }

    /// A row as it was found.
    enum Stored {
        case session(Session, keyID: [UInt8])
        /// None of our keys verifies the row, so its session can never continue.
        case refused(SealedSession)
    }

    /// A session after a transition, with the action that the transition returned.
    struct ChangeResult<Action> {
        let session: Session
        let action: Action
    }
}

// MARK: - Reading

extension SessionRepository {
    nonisolated(nonsending) func load(_ id: SessionID) async throws(SessionError) -> Stored? {
        let row: SealedSession?
        do { row = try await self.store.loadSession(id) } catch { throw self.unreachable(error, .read, id) }
        return row.map { self.open($0) }
    }

    /// Returns the sessions of a user of this app which have not ended by now. It reads on to the end, because most
    /// rows can be tombstones.
    func sessions(app: String, subject: Secret) async throws(SessionError) -> [Session] {
        let (now, rules) = (self.now(), self.configuration.rules)
        var sessions: [Session] = []
        var last: SessionID?
        repeat {
            let rows = try await self.rows(app: app, subject: subject, after: last)
            sessions += rows.compactMap { row in
                guard case .session(var session, _) = self.open(row), identical(session.app, app),
                    session.lapse(at: now, rules) == nil, session.active?.subject == subject
                else { return nil }
                return session
            }
            last = rows.count == Self.pageSize ? rows.last?.id : nil
        } while last != nil
        return sessions
    }

    /// Returns a page of the rows of a user of this app, tombstones included, under whichever key they are.
    func rows(
        app: String, subject: Secret, after last: SessionID? = nil
    ) async throws(SessionError) -> [SealedSession] {
        let persons = self.persons(app: app, subject: subject)
        do {
            return try await self.store.loadSessions(ofPersons: persons, after: last, limit: Self.pageSize)
        } catch { throw self.unreachable(error, .read) }
    }

    /// The values of the column `person` that a row of this user can have.
    func persons(app: String, subject: Secret) -> [[UInt8]] {
        self.configuration.keys.all.map { $0.person(app: app, subject: subject) }
    }

    func open(_ row: SealedSession, reporting: Bool = true) -> Stored {
        do throws(RowError) {
            return .session(try SessionSeal.open(row, keys: self.configuration.keys), keyID: row.keyID)
        } catch {
            if reporting { self.emit(SessionEvent(.rowRefused(error), session: row.id)) }
            return .refused(row)
        }
    }

    /// Reports a store that cannot be reached. The store itself logs the cause.
    private func unreachable(_: StoreError, _ work: StoreWork, _ id: SessionID? = nil) -> SessionError {
        self.emit(SessionEvent(.storeFailed(work), session: id))
        return .storeUnavailable
    }

    func emit(_ event: SessionEvent) { self.observe(event) }

    func emit(_ step: SessionEvent.Step, of session: Session) { self.emit(SessionEvent(step, session)) }
}

// MARK: - Changing

extension SessionRepository {
    /// Stores a new session, sealed under the newest key unless another one is given. Returns false if its id is taken.
    nonisolated(nonsending) func insert(
        _ session: Session, under key: SessionKey? = nil
    ) async throws(SessionError) -> Bool {
        let row = SessionSeal.seal(session, under: key ?? self.configuration.keys.first)
        do { return try await self.store.insertSession(row) } catch { throw self.unreachable(error, .write, row.id) }
    }

    /// Stores a new session in place of a row that no key of ours verifies. Returns false after a conflict.
    nonisolated(nonsending) func insert(
        _ session: Session, inPlaceOf row: SealedSession
    ) async throws(SessionError) -> Bool {
        var session = session
        // Nobody has verified that number.
        session.revision = row.revision &+ 1
        return try await self.replace(session, row.revision)
    }

    /// Runs `transition` on the stored session and stores the result. Returns nil if there is no such session.
    ///
    /// The transition runs again after each conflict with another writer, so it must be pure. What is due (`lapse`) is
    /// applied first. `emitting` names the step that the change was; its event comes only if this process has taken it.
    nonisolated(nonsending) func change<Action>(
        _ id: SessionID, emitting: (Action) -> SessionEvent.Step? = { _ in nil },
        _ transition: (inout Session, SessionRules) -> Action
    ) async throws(SessionError) -> ChangeResult<Action>? {
        try await CompareAndSwap.run(orThrow: .storeUnavailable) { () async throws(SessionError) in
            guard case .session(let before, let keyID)? = try await self.load(id) else { return .done(nil) }
            let configuration = self.configuration
            var session = before
            let end = session.lapse(at: self.now(), configuration.rules)
            let lapsedSession = session
            let action = transition(&session, configuration.rules)
            let isResealed = keyID != configuration.keys.first.id
            if session != before || isResealed {
                session.revision = before.revision &+ 1
                guard try await self.replace(session, before.revision) else { return .conflict }
                if let end, let active = before.active { self.emit(SessionEvent(.ended(end), before, active)) }
                if isResealed { self.emit(.resealed, of: session) }
            }
            if let step = emitting(action) {
                // An ended session no longer says whose it was.
                self.emit(session.active == nil ? SessionEvent(step, lapsedSession) : SessionEvent(step, session))
            }
            return .done(ChangeResult(session: session, action: action))
        }
    }

    /// Stores the session in place of the row with that revision, sealed under the newest key unless another one is
    /// given. Returns false after a conflict.
    nonisolated(nonsending) func replace(
        _ session: Session, _ revision: Int64, under key: SessionKey? = nil
    ) async throws(SessionError) -> Bool {
        let row = SessionSeal.seal(session, under: key ?? self.configuration.keys.first)
        do {
            return try await self.store.replaceSession(row, revision: revision)
        } catch { throw self.unreachable(error, .write, row.id) }
    }
}

// MARK: - Sweeping

extension SessionRepository {
    /// Removes a row. Returns false after a conflict.
    func remove(_ row: SealedSession) async throws(SessionError) -> Bool {
        do {
            return try await self.store.removeSession(row.id, revision: row.revision)
        } catch { throw self.unreachable(error, .write, row.id) }
    }

    func dueRows(limit: Int) async throws(SessionError) -> [SealedSession] {
        do {
            return try await self.store.loadDueSessions(at: self.now(), limit: limit)
        } catch { throw self.unreachable(error, .sweep) }
    }

    /// Returns rows that a former key of the configuration sealed. Rows of a key that is no longer in it could not be
    /// opened.
    func rowsOfFormerKeys(limit: Int) async throws(SessionError) -> [SealedSession] {
        var rows: [SealedSession] = []
        do {
            for key in self.configuration.keys.all.dropFirst() where rows.count < limit {
                rows += try await self.store.loadSessions(sealedBy: key.id, limit: limit - rows.count)
            }
        } catch { throw self.unreachable(error, .sweep) }
        return rows
    }
}

extension SessionEvent {
    init(_ step: Step, _ session: Session) {
        guard let active = session.active else {
            self.init(step, session: session.id, app: session.app)
            return
        }
        self.init(step, session, active)
    }

    init(_ step: Step, _ session: Session, _ active: ActiveSession) {
        self.init(
            step, session: session.id, app: session.app, provider: active.login.provider, platform: active.platform,
            level: active.level)
    }
}
