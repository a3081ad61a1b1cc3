/// A connection that is open, on one loop: one statement at a time, and what the server says of its own accord.
///
///     idle ──send──▶ busy ──answer──▶ idle        the server hangs up, a deadline passes ──▶ closed
import CPQ
import EventLoop

/// Safe because, once made, it is touched on the loop only.
final class PostgresSession: Watcher, @unchecked Sendable {
    typealias Outcome = Result<PostgresAnswer, PostgresFailure>

    /// What its owner is told, on the loop.
    struct Events: Sendable {
        /// It was lost while nothing was asked.
        var lost: @Sendable (PostgresSession, StoreTrouble) -> Void = { _, _ in }
        var notified: @Sendable (String) -> Void = { _ in }
    }

    private let loop: EventLoop
    private let handle: PostgresHandle
    private let socket: Int32
    private let events: Events
    private var isOpen = true
    private var asked: Asked?

    private struct Asked {
        let deadline: Deadline
        let answer: @Sendable (Outcome) -> Void
        var outcome: Outcome?
    }

    /// Nil, and the connection is closed, when the loop cannot watch it.
    init?(_ handle: PostgresHandle, on loop: EventLoop, events: Events) {
        self.loop = loop
        self.handle = handle
        self.socket = PQsocket(handle.raw)
        self.events = events
        guard PQsetnonblocking(handle.raw, 1) == 0, (try? loop.watch(self.socket, for: .read, self)) != nil else {
            handle.close()
            return nil
        }
    }

    /// Sends the statement; `answer` is called once. Only while nothing else is asked.
    func ask(
        _ statement: PostgresStatement, within limit: Duration, _ answer: @escaping @Sendable (Outcome) -> Void
    ) {
        guard self.isOpen else { return answer(.failure(PostgresFailure(.notSent, .closed))) }
        let sent = statement.withParameters {
            PQsendQueryParams(self.handle.raw, statement.sql, $0, $1, $2, $3, $4, 1)
        }
        guard sent == 1 else {
            let trouble = StoreTrouble.other(self.handle.message)
            self.close()
            return answer(.failure(PostgresFailure(.notSent, trouble)))
        }
        let deadline = self.loop.schedule(after: limit) { [weak self] in self?.giveUp() }
        self.asked = Asked(deadline: deadline, answer: answer)
        self.flush()
    }

    /// Says goodbye to the server (Terminate) and forgets the connection. What was asked has lost its answer.
    func close() { self.end(.closed) }

    var isUsable: Bool { self.isOpen && self.asked == nil }

    // MARK: - The socket

    func ready(_ readiness: Readiness) {
        if readiness.contains(.writable) { self.flush() }
        guard self.isOpen, !readiness.isDisjoint(with: [.readable, .hangup, .broken]) else { return }
        let isAlive = PQconsumeInput(self.handle.raw) == 1
        self.takeResults()
        self.takeNotifications()
        if self.isOpen, !isAlive || PQstatus(self.handle.raw) == CONNECTION_BAD {
            self.end(.other(self.handle.message))
        }
    }

    /// libpq writes what the socket takes, and is called again when it takes more.
    private func flush() {
        guard self.isOpen else { return }
        switch PQflush(self.handle.raw) {
        case 0: self.loop.change(self.socket, to: .read)
        case 1: self.loop.change(self.socket, to: [.read, .write])
        // What the server said before it hung up can still be read.
        default: self.loop.change(self.socket, to: .read)
        }
    }

    private func takeResults() {
        while self.asked != nil, PQisBusy(self.handle.raw) == 0 {
            guard let result = PQgetResult(self.handle.raw) else { return self.finish() }
            let outcome = Outcome { () throws(PostgresFailure) in try self.handle.answer(result) }
            // The first failure is the cause.
            if case .failure = self.asked?.outcome { continue }
            self.asked?.outcome = outcome
        }
    }

    private func finish() {
        guard let asked = self.asked else { return }
        self.asked = nil
        self.loop.cancel(asked.deadline)
        var outcome = asked.outcome ?? .failure(PostgresFailure(.lost, .other("no answer")))
        if case .failure(let failure) = outcome {
            if failure.endsConnection { self.close() }
            // It stopped while it worked, perhaps after the commit: while it waited for a standby, say.
            if failure.isStopping { outcome = .failure(PostgresFailure(.lost, failure.trouble)) }
        }
        asked.answer(outcome)
    }

    private func takeNotifications() {
        while self.isOpen, let notification = PQnotifies(self.handle.raw) {
            let payload = notification.pointee.extra.map { String(cString: $0) } ?? ""
            PQfreemem(notification)
            self.events.notified(payload)
        }
    }

    // MARK: - The end

    private func giveUp() {
        self.end(.other("PostgreSQL does not answer in time"))
    }

    private func end(_ trouble: StoreTrouble) {
        guard self.isOpen else { return }
        self.isOpen = false
        // libpq closes the socket.
        self.loop.unwatch(self.socket)
        self.handle.close()
        guard let asked = self.asked else {
            if trouble != .closed { self.events.lost(self, trouble) }
            return
        }
        self.asked = nil
        self.loop.cancel(asked.deadline)
        asked.answer(asked.outcome?.failed ?? .failure(PostgresFailure(.lost, trouble)))
    }
}

extension PostgresFailure {
    fileprivate var endsConnection: Bool {
        switch self.kind {
        case .refused(let state): StoreTrouble.endsConnection(state)
        case .lost: true
        case .notSent, .notConnected: false
        }
    }

    fileprivate var isStopping: Bool {
        guard case .refused(let state) = self.kind else { return false }
        return state.hasPrefix("57P0") || state.hasPrefix("08")
    }
}

extension Result where Failure == PostgresFailure {
    /// Itself if it is a failure: an answer without its end is none.
    fileprivate var failed: Self? {
        guard case .failure(let failure) = self else { return nil }
        return .failure(PostgresFailure(.lost, failure.trouble))
    }
}
