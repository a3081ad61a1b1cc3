/// Logins of one app at one server: starts them, and goes on with those that were under way when the app was killed.
import Foundation

/// Keep one for the whole app, from its start.
public final class LoginClient: Sendable {
    private struct State: Sendable {
        var sessions: [OpenLogin.ID: LoginSession] = [:]
        /// So that none comes back that was read from the store just before.
        var forgotten: Set<OpenLogin.ID> = []
        var isInForeground = true
        var isStopped = false
    }

    private let server: URL
    private let store: any OpenLogins
    private let surroundings: Surroundings
    private let state = Locked(State())

    /// `server` is the server's `public_url`. The app counts as in front until it says something else.
    public init(server: URL, store: any OpenLogins, surroundings: Surroundings) {
        self.server = server
        self.store = store
        self.surroundings = surroundings
    }

    /// The person pressed the button.
    public func start(_ request: NewLogin) -> LoginSession {
        let secret = PollSecret(using: self.surroundings.random)
        let record = OpenLogin(request, secret: secret, startedAt: self.surroundings.today())
        let session = LoginSession(record)
        self.run(session, record, .began)
        return session
    }

    /// Goes on with the logins in the store: those that the app has to show. Call it at every start of the app; more often does
    /// no harm. Those that never reached the server, ten minutes ago or more, are forgotten. It throws what the store throws.
    @discardableResult
    public func resume() async throws -> [LoginSession] {
        let records = try await self.store.all()
        for record in records where !self.knows(record.id) {
            guard !record.neverBegan(asOf: self.surroundings.today()) else {
                try? await self.store.remove(record.id)
                continue
            }
            self.run(LoginSession(record), record, .resumed)
        }
        let shown = records.filter { !$0.isAcknowledged }.map(\.id)
        return self.state.withLock { state in shown.compactMap { state.sessions[$0] } }
    }

    /// The app was opened by this link (rule 3). Hand in every link, unread; false when it belongs to no login. When it returns,
    /// the link is stored: it survives the app.
    ///
    /// If the app was killed meanwhile, the link goes to the login in the store.
    @discardableResult
    public func open(_ link: String) async -> Bool {
        // Without the store there are still those that are known.
        _ = try? await self.resume()
        // Several logins may have the same prefixes. The server knows whose it is, and the others lose nothing.
        var isTaken = false
        for session in self.sessions where await session.take(link) { isTaken = true }
        return isTaken
    }

    /// The app is in front (rule 4). On iOS: `UIApplication.willEnterForegroundNotification`, which an auth session on top of
    /// the app does not cause.
    public func cameToForeground() {
        self.state.withLock { $0.isInForeground = true }
        for session in self.sessions { session.say(.cameToForeground) }
    }

    /// The app is not in front any more. On iOS: `UIApplication.didEnterBackgroundNotification`.
    public func wentToBackground() {
        self.state.withLock { $0.isInForeground = false }
        for session in self.sessions { session.say(.wentToBackground) }
    }

    /// Stops everything, as if the app had been killed: what is stored stays. For tests and previews.
    public func stop() {
        let sessions = self.state.withLock { state in
            state.isStopped = true
            defer { state.sessions = [:] }
            return Array(state.sessions.values)
        }
        for session in sessions { session.close() }
    }

    private var sessions: [LoginSession] { self.state.withLock { Array($0.sessions.values) } }

    private func knows(_ id: OpenLogin.ID) -> Bool {
        self.state.withLock { $0.sessions[id] != nil || $0.forgotten.contains(id) }
    }

    private func run(_ session: LoginSession, _ record: OpenLogin, _ event: LoginReducer.Event) {
        let isInForeground: Bool? = self.state.withLock { state in
            // Two at once may have read the same record.
            guard !state.isStopped, state.sessions[session.id] == nil, !state.forgotten.contains(session.id) else {
                return nil
            }
            state.sessions[session.id] = session
            return state.isInForeground
        }
        guard let isInForeground else { return session.close() }
        session.say(event)
        let reducer = LoginReducer(record, server: self.server, isInForeground: isInForeground)
        let run = LoginRun(surroundings: self.surroundings, store: self.store, session: session)
        Task { [weak self] in
            if await run.run(reducer) { self?.forget(session.id) }
        }
    }

    private func forget(_ id: OpenLogin.ID) {
        self.state.withLock { state in
            state.sessions[id] = nil
            state.forgotten.insert(id)
        }
    }
}
