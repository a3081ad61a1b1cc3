/// One running login: what it tells the app, and what the app tells it.
import Foundation

/// One login. Its `states` say what to show and do; its methods report what the user does.
///
/// Every method returns at once. The result arrives in `states`.
public final class LoginSession: Sendable, Identifiable {
    /// Its id in the store.
    public let id: OpenLogin.ID
    /// What the app requested.
    public let request: NewLogin
    /// What to show and do. It has one reader: `for await state in session.states`. It finishes after `failed`, or when
    /// `resultIsSafe()` is called. Until then `ended` may arrive more than once.
    public let states: AsyncStream<LoginState>

    private let telling: AsyncStream<LoginState>.Continuation
    private let saying: AsyncStream<Said>.Continuation
    /// The reported events, for `LoginRun`.
    let events: AsyncStream<Said>
    private let record: Locked<OpenLogin>
    private let last = Locked<LoginState?>(nil)

    init(_ record: OpenLogin) {
        self.id = record.id
        self.request = record.request
        self.record = Locked(record)
        (self.states, self.telling) = AsyncStream.makeStream()
        (self.events, self.saying) = AsyncStream.makeStream()
    }

    /// The last state, for a view that is drawn again; nil before the first one. It never contains a `todo`: each
    /// action is reported once, in `states`.
    public var state: LoginState? { self.last.withLock { $0 } }

    /// Reports that the browser was closed or minimised, or that the auth session finished without a link (rule 5).
    /// This does not end the login. The next state says how to continue.
    public func browserClosed() { self.say(.browserClosed) }

    /// Sends the six digits of the page, exactly as the user typed them.
    public func enter(code: String) { self.say(.codeEntered(code)) }

    /// Cancels the login. Call it only when the user taps Cancel in the app. The login may have completed before, so
    /// wait for the next state.
    public func cancel() { self.say(.cancelled) }

    /// Repeats the current action. Call it when the user wants to continue in the browser, or to see the page again.
    public func openAgain() { self.say(.openedAgain) }

    /// After `ended`: requests the result again, with a new assertion that is valid for five minutes. It does nothing
    /// before `ended`.
    public func refresh() { self.say(.endWanted) }

    /// After `ended`: says that the app has stored what it needs, so that the server may delete the result. Until then
    /// `ended` is repeated, also after every start of the app.
    public func resultIsSafe() {
        self.say(.resultStored)
        if case .ended? = self.state { self.telling.finish() }
    }

    /// Forgets the login without telling the server, where it expires. For a user who is offline and wants to leave.
    public func giveUp() { self.say(.givenUp) }
}

// MARK: - For the client

extension LoginSession {
    /// An event, with a receipt if the caller waits until it is handled.
    struct Said: Sendable {
        let event: LoginReducer.Event
        var receipt: Receipt?
    }

    func say(_ event: LoginReducer.Event) { self.saying.yield(Said(event: event)) }

    func tell(_ state: LoginState) {
        self.last.withLock { $0 = state.withoutTodo }
        self.telling.yield(state)
        if case .failed = state { self.telling.finish() }
    }

    func know(_ record: OpenLogin) { self.record.withLock { $0 = record } }

    /// Hands in a link and returns when it is stored. Returns false when the link does not belong to this login.
    func take(_ link: String) async -> Bool {
        guard self.record.withLock({ $0.takes(link) }) else { return false }
        await Receipt.wait { self.saying.yield(Said(event: .linkOpened(link), receipt: $0)) }
        return true
    }

    /// Stops the login and finishes `states`. The stored record stays.
    func close() {
        self.saying.finish()
        self.telling.finish()
    }
}
