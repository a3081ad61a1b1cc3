import Dispatch
import EventLoop
import Synchronization

/// The connections of this process, and the statements that wait for one. Statements are sent in their order of
/// arrival. A connection that misses a deadline is closed and never used again, and so is each idle one that has said
/// nothing since: a network that lost one of them without a word has probably lost them all, and each would cost another
/// deadline.
///
/// This is safe because only the loop touches its state, except for `ask` and `close`.
final class PostgresPool: @unchecked Sendable {
    private struct Waiting: Sendable {
        let statement: PostgresStatement
        let deadline: Deadline
        let answer: @Sendable (PostgresSession.Outcome) -> Void
    }

    private let loop: EventLoop
    private let connector: PostgresConnector
    /// Must run before the first statement, and blocks. Nil once it has succeeded.
    private var preparation: (@Sendable () throws(PostgresError) -> Void)?
    private let timeout: Duration
    /// Whether sessions keep the plans of statements, which needs sessions that are no pooler's.
    private let prepares: Bool
    private let health: StoreHealth
    /// Opens connections one after another, so that a server that has just returned is not overloaded.
    private let opener = DispatchQueue(label: "switchback.postgresql.open")
    private var waiting: StatementQueue<Waiting>
    private var idle: [PostgresSession] = []
    private var busy: [ObjectIdentifier: PostgresSession] = [:]
    private var backoff = ReconnectBackoff()
    private var closing: [CheckedContinuation<Void, Never>] = []
    private let load = Mutex(PoolLoad())

    /// `timeout` is the time that a statement may wait, and again the time that it may take after it was sent.
    init(
        _ connector: PostgresConnector, on loop: EventLoop, connections: Int, timeout: Duration, prepares: Bool,
        health: StoreHealth
    ) {
        self.connector = connector
        self.loop = loop
        self.timeout = timeout
        self.prepares = prepares
        self.health = health
        self.waiting = StatementQueue(maxConnections: connections)
        self.load.withLock { $0.size = connections }
    }

    /// What the pool does now. Any thread may ask.
    var currentLoad: PoolLoad { self.load.withLock { $0 } }

    /// Call it after each change of what is waiting or busy.
    private func noteLoad() {
        self.load.withLock { load in
            load.inUse = self.busy.count
            load.waiting = self.waiting.count
        }
    }

    /// Starts with a database that could not be prepared because of `cause`. The pool retries `preparation` and runs no
    /// statement before it succeeds. Call it before the first statement.
    func begin(
        after cause: StorageError, _ preparation: @escaping @Sendable () throws(PostgresError) -> Void
    ) {
        self.loop.execute {
            self.preparation = preparation
            self.fail(cause)
        }
    }

    func ask(_ statement: PostgresStatement) async -> PostgresSession.Outcome {
        await withCheckedContinuation { continuation in
            self.loop.execute { self.add(statement) { continuation.resume(returning: $0) } }
        }
    }

    /// Completes the waiting statements and refuses later ones. Returns when no connection is left.
    func close() async {
        await withCheckedContinuation { continuation in
            self.loop.execute {
                self.waiting.close()
                self.closing.append(continuation)
                self.endIfIdle()
            }
        }
    }

    // MARK: - Statements

    private func add(_ statement: PostgresStatement, _ answer: @escaping @Sendable (PostgresSession.Outcome) -> Void) {
        let box = Numbered()
        let deadline = self.loop.schedule(after: self.timeout) { self.withdraw(box.number) }
        let entry = Waiting(statement: statement, deadline: deadline, answer: answer)
        switch self.waiting.add(entry) {
        case .wait(let number):
            box.number = number
            self.send()
            self.noteLoad()
        case .refuse(let cause):
            self.loop.cancel(deadline)
            let isConnected = self.waiting.connections > 0
            answer(.failure(PostgresError(isConnected ? .notSent : .notConnected, cause)))
        }
    }

    /// This is safe because only the loop touches it.
    private final class Numbered: @unchecked Sendable {
        var number = -1
    }

    private func withdraw(_ number: Int) {
        guard let entry = self.waiting.withdraw(number) else { return }
        let isConnected = self.waiting.connections > 0
        let cause = isConnected ? StorageError.overloaded : .other("PostgreSQL could not be reached in time")
        self.noteLoad()
        entry.answer(.failure(PostgresError(isConnected ? .notSent : .notConnected, cause)))
        self.endIfIdle()
    }

    private func send() {
        while let session = self.idle.last, let entry = self.waiting.next() {
            self.idle.removeLast()
            self.busy[ObjectIdentifier(session)] = session
            self.loop.cancel(entry.deadline)
            session.ask(entry.statement, within: self.timeout) { outcome in
                self.finish(session)
                entry.answer(outcome)
            }
        }
        if self.waiting.claimConnection() { self.open() }
    }

    private func finish(_ session: PostgresSession) {
        self.busy[ObjectIdentifier(session)] = nil
        if session.isUsable { self.idle.append(session) } else { self.waiting.noteLost() }
        if let time = session.silentSince { self.closeIdle { !$0.hasSpoken(since: time) } }
        self.noteLoad()
        // Deferred, because the session is in the middle of a callback and the result comes first.
        self.loop.execute {
            self.send()
            self.noteLoad()
            self.endIfIdle()
        }
    }

    // MARK: - Connections

    private func open() {
        let (connector, preparation) = (self.connector, self.preparation)
        self.opener.async { @Sendable in
            let attempt = PostgresConnectionAttempt { () throws(PostgresError) in
                try preparation?()
                return try connector.open()
            }
            self.loop.execute { self.take(attempt) }
        }
    }

    private func take(_ attempt: PostgresConnectionAttempt) {
        if let error = attempt.error { return self.fail(error.cause) }
        guard !self.waiting.isClosed || self.waiting.count > 0 else { return }
        let events = PostgresSession.Events(lost: { session, cause in self.lose(session, cause) })
        guard let session = attempt.session(on: self.loop, prepares: self.prepares, events: events) else {
            return self.fail(.other("the event loop cannot watch the connection"))
        }
        self.preparation = nil
        self.waiting.noteConnected()
        self.backoff.reset()
        self.health.note(nil)
        self.idle.append(session)
        self.send()
        self.noteLoad()
        self.endIfIdle()
    }

    private func fail(_ cause: StorageError) {
        self.waiting.noteConnectFailure(cause)
        self.health.note(cause)
        self.loop.schedule(after: self.backoff.next()) {
            self.waiting.pauseEnded()
            self.send()
        }
        guard self.waiting.connections == 0 else { return }
        for entry in self.waiting.takeAll() {
            self.loop.cancel(entry.deadline)
            entry.answer(.failure(PostgresError(.notConnected, cause)))
        }
        self.noteLoad()
        self.endIfIdle()
    }

    private func lose(_ session: PostgresSession, _ cause: StorageError) {
        guard let index = self.idle.firstIndex(where: { $0 === session }) else { return }
        self.idle.remove(at: index)
        self.waiting.noteLost()
        self.send()
    }

    private func closeIdle(where isClosed: (PostgresSession) -> Bool) {
        for session in self.idle where isClosed(session) {
            session.close()
            self.waiting.noteLost()
        }
        self.idle.removeAll { isClosed($0) }
    }

    private func endIfIdle() {
        guard self.waiting.isClosed, self.waiting.count == 0, self.busy.isEmpty, !self.closing.isEmpty else { return }
        self.closeIdle { _ in true }
        let continuations = self.closing
        self.closing = []
        for continuation in continuations { continuation.resume() }
    }
}

/// How busy the connections of a pool are.
package struct PoolLoad: Equatable, Sendable {
    /// The most connections.
    package internal(set) var size = 0
    package internal(set) var inUse = 0
    /// How many statements wait for a connection.
    package internal(set) var waiting = 0
}
