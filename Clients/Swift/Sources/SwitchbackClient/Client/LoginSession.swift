import Foundation

/// One running login. Its `states` say what to show and do; its methods report what the user does.
///
/// Every method returns at once. The result arrives in `states`.
public final class LoginSession: Sendable, Identifiable {
    /// Its id in the store.
    public let id: SavedLogin.ID
    /// What the app requested.
    public let request: NewLogin
    private let eventContinuation: AsyncStream<QueuedEvent>.Continuation
    /// The reported events, for `LoginRunner`.
    let events: AsyncStream<QueuedEvent>
    private let record: Locked<SavedLogin>
    private let broadcast = StateBroadcast<LoginState>()
    private let lastNonce = Locked<String?>(nil)

    init(_ record: SavedLogin) {
        self.id = record.id
        self.request = record.request
        self.record = Locked(record)
        (self.events, self.eventContinuation) = AsyncStream.makeStream()
    }

    /// What to show and do, for one more reader: `for await state in session.states`. Any number may read, each through
    /// a stream of its own. It begins with the present state. A reader that goes away ends nothing.
    ///
    /// The streams finish after `failed`, and when `acknowledge()` is called. Until then `finished` may arrive again. A
    /// reader that comes later gets the final state, and the end of its stream.
    ///
    /// An action is delivered once: to all who read at that time, or to the next reader if nobody does. Perform it in
    /// one place, and let the other readers only show the state.
    public var states: AsyncStream<LoginState> { self.broadcast.makeStream() }

    /// The last state, for a view that is drawn again; nil before the first one. It never contains an `action`:
    /// each is reported once, in `states`.
    public var state: LoginState? { self.broadcast.present }

    /// Reports that the browser was closed or minimised, or that the auth session finished without a link (rule 5).
    /// This does not end the login. The next state says how to continue.
    public func browserDidClose() { self.send(.browserClosed) }

    /// Sends the six digits of the page, exactly as the user typed them.
    public func enter(code: String) { self.send(.codeEntered(code)) }

    /// Cancels the login. Call it only when the user taps Cancel in the app. The login may have completed before, so
    /// wait for the next state.
    public func cancel() { self.send(.cancelled) }

    /// Repeats the current action. Call it when the user wants to continue in the browser, or to see the page again.
    public func openAgain() { self.send(.reopenRequested) }

    /// After `finished`: requests the result again, with a new assertion that is valid for five minutes. It does
    /// nothing before `finished`.
    public func refresh() { self.send(.refreshRequested) }

    /// After `finished`: says that the app has stored what it needs, so that the server may delete the result. Until
    /// then `finished` is repeated, also after every start of the app.
    public func acknowledge() {
        self.send(.acknowledged)
        if self.state?.kind == .finished { self.broadcast.finish() }
    }

    /// Forgets the login without telling the server, where it expires. For a user who is offline and wants to leave.
    public func abandon() { self.send(.abandoned) }
}

// MARK: - For the client

extension LoginSession {
    /// An event, with a receipt if the caller waits until it is handled.
    struct QueuedEvent: Sendable {
        let event: LoginReducer.Event
        var receipt: Receipt?
    }

    func send(_ event: LoginReducer.Event) { self.eventContinuation.yield(QueuedEvent(event: event)) }

    func publish(_ state: LoginState) {
        self.broadcast.publish(state)
        if state.kind == .failed { self.broadcast.finish() }
    }

    /// The server's last nonce for DPoP proofs. It spares a session's begin a request.
    var nonce: String? { self.lastNonce.withLock { $0 } }

    func keepNonce(of response: HTTPResponse) {
        guard let nonce = response["DPoP-Nonce"] else { return }
        self.lastNonce.withLock { $0 = nonce }
    }

    /// The login's reference, once the server has responded.
    var reference: String? { self.record.withLock { $0.reference } }

    /// Whether the user has given up, and the server has not heard it yet.
    package var isCancelling: Bool { self.record.withLock { $0.isCancelling } }

    /// The secret that gives access to the result, and so to the session after it.
    var secret: PollSecret { self.record.withLock { $0.secret } }

    func update(_ record: SavedLogin) { self.record.withLock { $0 = record } }

    /// Hands in a link and returns when it is stored. Returns false when the link does not belong to this login.
    func accept(_ link: String) async -> Bool {
        guard self.record.withLock({ $0.accepts(link) }) else { return false }
        await Receipt.wait { self.eventContinuation.yield(QueuedEvent(event: .linkOpened(link), receipt: $0)) }
        return true
    }

    /// Stops the login and finishes `states`. The stored record stays.
    func close() {
        self.eventContinuation.finish()
        self.broadcast.finish()
    }
}
