import Dispatch
import EventLoop

/// The connection that receives notifications of other processes (LISTEN). It reconnects after each loss.
///
/// This is safe because only the loop touches its state, except for `start` and `close`.
final class PostgresListener: @unchecked Sendable {
    /// The callbacks for its owner, called on the loop.
    struct Events: Sendable {
        let listening: @Sendable () -> Void
        let lost: @Sendable (StorageError) -> Void
        let notified: @Sendable (String) -> Void
    }

    static let channel = "switchback"

    private let loop: EventLoop
    private let connector: PostgresConnector
    private let timeout: Duration
    private let events: Events
    private let opener = DispatchQueue(label: "switchback.postgresql.listen")
    private var session: PostgresSession?
    private var backoff = ReconnectBackoff()
    /// Counts the sessions that have listened.
    private var number = 0
    private var isClosed = false

    init(_ connector: PostgresConnector, on loop: EventLoop, timeout: Duration, events: Events) {
        self.connector = connector
        self.loop = loop
        self.timeout = timeout
        self.events = events
    }

    func start() { self.loop.execute { self.open() } }

    /// Runs a statement on the session that listens. Returns the result with the number of that session, and nil if
    /// there is no result.
    func ask(_ statement: PostgresStatement) async -> (rows: PostgresRows, session: Int)? {
        await withCheckedContinuation { continuation in
            self.loop.execute {
                guard let session = self.session, session.isUsable else { return continuation.resume(returning: nil) }
                let number = self.number
                session.ask(statement, within: self.timeout) { outcome in
                    // The session reports the loss of its connection only here while a statement runs.
                    if !session.isUsable, case .failure(let failure) = outcome { self.retry(failure.cause) }
                    continuation.resume(returning: (try? outcome.get()).map { ($0, number) })
                }
            }
        }
    }

    func close() async {
        await withCheckedContinuation { continuation in
            self.loop.execute {
                self.isClosed = true
                self.session?.close()
                self.session = nil
                continuation.resume()
            }
        }
    }

    private func open() {
        guard !self.isClosed else { return }
        let connector = self.connector
        self.opener.async { @Sendable in
            let attempt = PostgresConnectionAttempt { () throws(PostgresError) in try connector.open() }
            self.loop.execute { self.take(attempt) }
        }
    }

    private func take(_ attempt: PostgresConnectionAttempt) {
        if let error = attempt.error { return self.retry(error.cause) }
        guard !self.isClosed else { return }
        let events = PostgresSession.Events(
            lost: { _, cause in self.retry(cause) }, notified: self.events.notified)
        guard let session = attempt.session(on: self.loop, events: events) else {
            return self.retry(.other("the event loop cannot watch the connection"))
        }
        self.session = session
        session.ask(PostgresStatement("LISTEN \(Self.channel)"), within: self.timeout) { self.listen($0) }
    }

    private func listen(_ outcome: PostgresSession.Outcome) {
        switch outcome {
        case .success:
            self.number += 1
            self.backoff.reset()
            self.events.listening()
        case .failure(let failure):
            self.session?.close()
            self.retry(failure.cause)
        }
    }

    private func retry(_ cause: StorageError) {
        self.session = nil
        guard !self.isClosed else { return }
        self.events.lost(cause)
        self.loop.schedule(after: self.backoff.next()) { self.open() }
    }
}
