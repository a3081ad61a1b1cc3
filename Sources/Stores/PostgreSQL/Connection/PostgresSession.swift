import CPQ
import EventLoop

/// An open connection on one loop. It runs one statement at a time and receives notifications.
///
///     idle ──send──▶ busy ──result──▶ idle        the server hangs up, a deadline passes ──▶ closed
///               └──▶ preparing ──▶ busy           the first time that a statement with a name is run
///
/// This is safe because only the loop touches it after its creation.
final class PostgresSession: Watcher, @unchecked Sendable {
    typealias Outcome = Result<PostgresRows, PostgresError>

    /// The callbacks for its owner, called on the loop.
    struct Events: Sendable {
        /// The connection was lost while no statement was running.
        var lost: @Sendable (PostgresSession, StorageError) -> Void = { _, _ in }
        var notified: @Sendable (String) -> Void = { _ in }
    }

    private let loop: EventLoop
    /// Nil once it is closed.
    private var handle: PostgresHandle?
    private let socket: Int32
    private let events: Events
    private var active: ActiveStatement?
    /// The names of the statements that are prepared. Nil: none may be, because a pooler may be in between.
    private var prepared: Set<String>?

    private struct ActiveStatement {
        let statement: PostgresStatement
        let deadline: Deadline
        let answer: @Sendable (Outcome) -> Void
        var outcome: Outcome?
        /// The statement is only being prepared.
        var isPreparing = false
    }

    /// Returns nil and closes the connection if the loop cannot watch it.
    init?(_ handle: consuming PostgresHandle, on loop: EventLoop, prepares: Bool = false, events: Events) {
        let isReady = PQsetnonblocking(handle.raw, 1) == 0
        self.loop = loop
        self.socket = PQsocket(handle.raw)
        self.handle = consume handle
        self.events = events
        self.prepared = prepares ? [] : nil
        guard isReady, (try? loop.watch(self.socket, for: .read, self)) != nil else { return nil }
    }

    private var isOpen: Bool { self.handle != nil }

    /// Nil for a closed connection, which libpq accepts.
    private var raw: OpaquePointer? {
        switch self.handle {
        case .some(let handle): handle.raw
        case nil: nil
        }
    }

    private var message: String {
        switch self.handle {
        case .some(let handle): handle.message
        case nil: ""
        }
    }

    /// Sends the statement and calls `answer` once with the result. No other statement may be running.
    func ask(
        _ statement: PostgresStatement, within limit: Duration, _ answer: @escaping @Sendable (Outcome) -> Void
    ) {
        guard self.isOpen else { return answer(.failure(PostgresError(.notSent, .closed))) }
        let isPreparing = self.wantsPreparing(statement)
        guard self.send(statement, isPreparing: isPreparing) else {
            let cause = StorageError.other(self.message)
            self.close()
            return answer(.failure(PostgresError(.notSent, cause)))
        }
        self.askedAt = .now
        let deadline = self.loop.schedule(after: limit) { [weak self] in self?.timeOut() }
        self.active = ActiveStatement(
            statement: statement, deadline: deadline, answer: answer, isPreparing: isPreparing)
        self.flush()
    }

    private func wantsPreparing(_ statement: PostgresStatement) -> Bool {
        guard let prepared = self.prepared, let name = statement.name else { return false }
        return !prepared.contains(name)
    }

    private func send(_ statement: PostgresStatement, isPreparing: Bool) -> Bool {
        let result = statement.withParameters { count, types, values, lengths, formats in
            guard let name = statement.name, self.prepared != nil else {
                return PQsendQueryParams(self.raw, statement.sql, count, types, values, lengths, formats, 1)
            }
            return isPreparing
                ? PQsendPrepare(self.raw, name, statement.sql, count, types)
                : PQsendQueryPrepared(self.raw, name, count, values, lengths, formats, 1)
        }
        return result == 1
    }

    /// Sends the statement that was only prepared so far, or sends it without a name because the server does not know
    /// the name. Returns false if there is nothing more to send.
    private func sendAgain() -> Bool {
        guard let active = self.active, self.isOpen else { return false }
        switch active.outcome {
        case .success where active.isPreparing: active.statement.name.map { _ = self.prepared?.insert($0) }
        case .failure(let failure) where failure.isOfPreparing && active.statement.name != nil && self.prepared != nil:
            self.prepared = nil
        default: return false
        }
        self.active?.isPreparing = false
        self.active?.outcome = nil
        if self.send(active.statement, isPreparing: false) { self.flush() } else { self.end(.other(self.message)) }
        return true
    }

    /// Closes the connection with a Terminate message. A running statement loses its result.
    func close() { self.end(.closed) }

    var isUsable: Bool { self.isOpen && self.active == nil }

    /// When the last statement was sent, and when the database last said something.
    private var (askedAt, heardAt) = (ContinuousClock.now, ContinuousClock.now)
    /// When the statement was sent that missed its deadline, so that the connection was closed. Without a pooler the
    /// database ends slow statements earlier, so it was the network that said nothing.
    private(set) var silentSince: ContinuousClock.Instant?

    func hasSpoken(since time: ContinuousClock.Instant) -> Bool { self.heardAt >= time }

    // MARK: - The socket

    func ready(_ readiness: ReadyEvents) {
        if readiness.contains(.writable) { self.flush() }
        guard self.isOpen, !readiness.isDisjoint(with: [.readable, .hangup, .broken]) else { return }
        let isAlive = PQconsumeInput(self.raw) == 1
        if isAlive { self.heardAt = .now }
        self.takeResults()
        self.takeNotifications()
        if self.isOpen, !isAlive || PQstatus(self.raw) == CONNECTION_BAD {
            self.end(.other(self.message))
        }
    }

    /// Writes as much as the socket accepts. The loop calls it again when the socket accepts more.
    private func flush() {
        guard self.isOpen else { return }
        switch PQflush(self.raw) {
        case 0: self.loop.change(self.socket, to: .read)
        case 1: self.loop.change(self.socket, to: [.read, .write])
        // We can still read what the server sent before it hung up.
        default: self.loop.change(self.socket, to: .read)
        }
    }

    private func takeResults() {
        while self.active != nil, PQisBusy(self.raw) == 0 {
            guard let outcome = self.nextOutcome() else { return self.finish() }
            // Keep the first failure, because it is the cause.
            if case .failure = self.active?.outcome { continue }
            self.active?.outcome = outcome
        }
    }

    /// Returns nil when the statement has no more results.
    private func nextOutcome() -> Outcome? {
        switch self.handle {
        case .some(let handle):
            guard let raw = PQgetResult(handle.raw) else { return nil }
            let result = PostgresResult(raw)
            do throws(PostgresError) { return .success(try handle.answer(result)) } catch { return .failure(error) }
        case nil:
            return nil
        }
    }

    private func finish() {
        guard !self.sendAgain(), let active = self.active else { return }
        self.active = nil
        self.loop.cancel(active.deadline)
        var outcome = active.outcome ?? .failure(PostgresError(.lost, .other("no response")))
        if case .failure(let failure) = outcome {
            if failure.endsConnection { self.close() }
            // The server stopped during the statement, perhaps after the commit, for example while it waited for a
            // standby.
            if failure.isStopping { outcome = .failure(PostgresError(.lost, failure.cause)) }
        }
        active.answer(outcome)
    }

    private func takeNotifications() {
        while self.isOpen, let notification = PQnotifies(self.raw) {
            let payload = notification.pointee.extra.map { String(cString: $0) } ?? ""
            PQfreemem(notification)
            self.events.notified(payload)
        }
    }

    // MARK: - Closing

    private func timeOut() {
        self.silentSince = self.askedAt
        self.end(.other("PostgreSQL did not respond in time"))
    }

    private func end(_ cause: StorageError) {
        guard self.isOpen else { return }
        // libpq closes the socket.
        self.loop.unwatch(self.socket)
        self.handle = nil
        guard let active = self.active else {
            if cause != .closed { self.events.lost(self, cause) }
            return
        }
        self.active = nil
        self.loop.cancel(active.deadline)
        active.answer(active.outcome?.failed ?? .failure(PostgresError(.lost, cause)))
    }
}

extension PostgresError {
    /// The session has lost its prepared statements, or is another one: a pooler is in between. The statement was not
    /// executed.
    fileprivate var isOfPreparing: Bool {
        guard case .refused(let state) = self.kind else { return false }
        return ["26000", "42P05", "0A000"].contains(state)
    }

    fileprivate var endsConnection: Bool {
        switch self.kind {
        case .refused(let state): StorageError.endsConnection(state)
        case .lost: true
        case .notSent, .notConnected: false
        }
    }

    fileprivate var isStopping: Bool {
        guard case .refused(let state) = self.kind else { return false }
        return state.hasPrefix("57P0") || state.hasPrefix("08")
    }
}

extension Result where Failure == PostgresError {
    /// The failure as `.lost`, or nil for a success, because a result without its end is not valid.
    fileprivate var failed: Self? {
        guard case .failure(let failure) = self else { return nil }
        return .failure(PostgresError(.lost, failure.cause))
    }
}
