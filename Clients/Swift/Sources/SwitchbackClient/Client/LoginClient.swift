import Foundation

/// The entry point of the library: starts logins at one Switchback server, and resumes those that were running when the
/// app was killed.
///
/// Create one client when the app starts, and keep it.
public final class LoginClient: Sendable {
    private struct State: Sendable {
        var sessions: [SavedLogin.ID: LoginSession] = [:]
        /// Logins that are over. A `resume` that read the store just before must not start them again.
        var forgotten: Set<SavedLogin.ID> = []
        var isInForeground = true
        var isStopped = false
    }

    let server: URL
    let app: String?
    let dependencies: LoginClientDependencies
    let providerList = Locked<ProviderList?>(nil)
    private let store: any SavedLoginStore
    private let state = Locked(State())

    /// Creates a client. `server` is the server's `public_url`, and `app` is the app's name in its configuration, which
    /// may be nil if the server has only one app. The app counts as in the foreground until `didEnterBackground()` is
    /// called.
    public init(
        server: URL, app: String? = nil, store: any SavedLoginStore, dependencies: LoginClientDependencies
    ) {
        self.server = server
        self.app = app
        self.store = store
        self.dependencies = dependencies
    }

    /// Starts a login and returns its session at once. Call it when the user taps the login button. Errors arrive in
    /// the session's `states`, too.
    public func start(_ request: NewLogin) -> LoginSession { self.start(request, after: nil) }

    /// Starts a login in the place of one that the user has left: for another e-ID, for example. The server logs that.
    ///
    /// The former login stays as it is, because the user may still complete it in what is open. It ends by its own
    /// outcome, or by ``LoginSession/cancel()``.
    public func start(_ request: NewLogin, replacing former: LoginSession) -> LoginSession {
        self.start(request, after: former)
    }

    private func start(_ request: NewLogin, after former: LoginSession?) -> LoginSession {
        var request = request
        request.replaces = former?.secret
        request.app = request.app ?? self.app
        let secret = PollSecret(using: self.dependencies.random)
        let record = SavedLogin(request, secret: secret, startedAt: self.dependencies.date())
        let session = LoginSession(record)
        self.run(session, record, .started)
        return session
    }

    /// Resumes the logins in the store, and returns those that the app has to show, the newest first. Call it at every
    /// start of the app; more calls do no harm.
    ///
    /// It deletes logins that never reached the server and started more than ten minutes ago. It throws what the
    /// store's `all()` throws.
    @discardableResult
    public func resume() async throws -> [LoginSession] {
        let records = try await self.store.all().sorted { $0.startedAt > $1.startedAt }
        for record in records where !self.contains(record.id) {
            guard !record.isStale(asOf: self.dependencies.date()) else {
                try? await self.store.remove(record.id)
                continue
            }
            self.run(LoginSession(record), record, .resumed)
        }
        let shownIDs = records.filter { !$0.isAcknowledged }.map(\.id)
        return self.state.withLock { state in shownIDs.compactMap { state.sessions[$0] } }
    }

    /// Hands in a link that opened the app (rule 3). Pass every link, unread. Returns false when the link belongs to no
    /// login. When this returns, the link is stored, so a kill of the app does not lose it.
    ///
    /// If the app was killed since the login started, the link goes to the login in the store.
    @discardableResult
    public func open(_ link: String) async -> Bool {
        // If the store cannot be read, the logins in memory still get the link.
        _ = try? await self.resume()
        // Several logins may share a prefix. The server knows which of them the link belongs to, and the others lose
        // nothing.
        var isTaken = false
        for session in self.sessions where await session.accept(link) { isTaken = true }
        return isTaken
    }

    /// Tells the client that the app is in the foreground (rule 4). On iOS, call it on
    /// `UIApplication.willEnterForegroundNotification`. An auth session on top of the app does not post that
    /// notification.
    public func didEnterForeground() {
        self.state.withLock { $0.isInForeground = true }
        for session in self.sessions { session.send(.enteredForeground) }
    }

    /// Tells the client that the app has left the foreground. On iOS, call it on
    /// `UIApplication.didEnterBackgroundNotification`.
    public func didEnterBackground() {
        self.state.withLock { $0.isInForeground = false }
        for session in self.sessions { session.send(.enteredBackground) }
    }

    /// Stops everything as if the app had been killed. The store keeps its logins. For tests and previews.
    public func stop() {
        let sessions = self.state.withLock { state in
            state.isStopped = true
            defer { state.sessions = [:] }
            return Array(state.sessions.values)
        }
        for session in sessions { session.close() }
    }

    private var sessions: [LoginSession] { self.state.withLock { Array($0.sessions.values) } }

    private func contains(_ id: SavedLogin.ID) -> Bool {
        self.state.withLock { $0.sessions[id] != nil || $0.forgotten.contains(id) }
    }

    private func run(_ session: LoginSession, _ record: SavedLogin, _ event: LoginReducer.Event) {
        let isInForeground: Bool? = self.state.withLock { state in
            // Two calls at once may have read the same record.
            guard !state.isStopped, state.sessions[session.id] == nil, !state.forgotten.contains(session.id) else {
                return nil
            }
            state.sessions[session.id] = session
            return state.isInForeground
        }
        guard let isInForeground else { return session.close() }
        session.send(event)
        let reducer = LoginReducer(record, server: self.server, isInForeground: isInForeground)
        let runner = LoginRunner(dependencies: self.dependencies, store: self.store, session: session)
        Task { [weak self] in
            if await runner.run(reducer) { self?.forget(session.id) }
        }
    }

    private func forget(_ id: SavedLogin.ID) {
        self.state.withLock { state in
            state.sessions[id] = nil
            state.forgotten.insert(id)
        }
    }
}
