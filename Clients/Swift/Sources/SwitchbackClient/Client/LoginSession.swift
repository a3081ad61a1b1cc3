/// One login under way, as the app holds it: what it is told, and what it can say.
import Foundation

/// Everything said here returns at once; what comes of it is in `states`.
public final class LoginSession: Sendable, Identifiable {
    /// Its name in the store.
    public let id: OpenLogin.ID
    /// What was asked for.
    public let request: NewLogin
    /// What to show and do, for one reader: `for await state in session.states`. It ends after `failed`, or with
    /// `resultIsSafe`; until then `ended` may come more than once.
    public let states: AsyncStream<LoginState>

    private let telling: AsyncStream<LoginState>.Continuation
    private let saying: AsyncStream<Said>.Continuation
    /// What was said, for the one that acts on it.
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

    /// What was told last, for a view that is drawn anew; nil before anything was. It never says what to do: that is told once,
    /// in `states`.
    public var state: LoginState? { self.last.withLock { $0 } }

    /// The browser was closed or minimised, or the auth session ended without a link (rule 5). It ends nothing: the next state
    /// says how to go on.
    public func browserClosed() { self.say(.browserClosed) }

    /// The person typed the six digits of the page, as they are typed.
    public func enter(code: String) { self.say(.codeEntered(code)) }

    /// The person pressed Cancel in the app: nothing else is a cancel. The login may have completed all the same: see what
    /// comes.
    public func cancel() { self.say(.cancelled) }

    /// The person wants to go on in the browser, or to see its page again: says once more what there is to do.
    public func openAgain() { self.say(.openedAgain) }

    /// After `ended`: tells it again, with an assertion that is good for five minutes from now. Nothing comes of it before the end.
    public func refresh() { self.say(.endWanted) }

    /// After `ended`: the app has what it needs, so the server may wipe the result. Until then the end is told again, also after
    /// every start.
    public func resultIsSafe() {
        self.say(.resultStored)
        if case .ended? = self.state { self.telling.finish() }
    }

    /// Forgets the login without asking the server, which lets it expire. For whoever is offline and wants to leave.
    public func giveUp() { self.say(.givenUp) }
}

// MARK: - For the client

extension LoginSession {
    /// What was said, and who wants to know that it was heard.
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

    /// Hands in a link that belongs to this login, and returns when it is stored; false when it does not belong to it.
    func take(_ link: String) async -> Bool {
        guard self.record.withLock({ $0.takes(link) }) else { return false }
        await Receipt.wait { self.saying.yield(Said(event: .linkOpened(link), receipt: $0)) }
        return true
    }

    /// Nothing more is done or told. What is stored stays.
    func close() {
        self.saying.finish()
        self.telling.finish()
    }
}
