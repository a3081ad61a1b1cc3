import SwitchbackClient

/// One login in one window: performs what its states say, and tells those who wait for the result.
///
/// It goes on without a window, and opens what is due when it gets one.
@MainActor final class LoginFlow {
    private typealias Outcome = Result<CompletedLogin, LoginFailure>

    let session: LoginSession
    private(set) var windowName: String
    private(set) weak var window: (any LoginWindow)?
    /// Whether another login has taken its place.
    private(set) var isReplaced = false
    private let opened: OpenedLogins
    private let handIn: @MainActor (String) async -> Bool
    private let publish: @MainActor () -> Void
    private var outcome: Outcome?
    private var waiters: [Int: CheckedContinuation<Outcome, Never>] = [:]
    private var count = 0
    /// What is due as soon as there is a window.
    private var pendingAction: NextAction?
    /// What opens in place of an app that is not there, when the user continues.
    private var fallbacks: [AppLinks.Attempt] = []
    private(set) var progress = LoginProgress(.starting)

    /// `handIn` takes a link that ended a browser, and says whether it belongs to a login. `publish` is told of each new
    /// progress.
    init(
        _ session: LoginSession, windowName: String, opened: OpenedLogins,
        handIn: @escaping @MainActor (String) async -> Bool, publish: @escaping @MainActor () -> Void
    ) {
        (self.session, self.windowName, self.opened) = (session, windowName, opened)
        (self.handIn, self.publish) = (handIn, publish)
    }

    /// Follows the login until it is forgotten.
    func run() async {
        for await state in self.session.states { self.take(state) }
        // The client was stopped, or the result is acknowledged.
        if self.outcome == nil { self.end(.failure(LoginFailure(.waitingStopped, reference: self.progress.reference))) }
        self.opened[self.session] = nil
        if self.hasResult { self.show(.idle) }
    }

    /// Whether the login has completed, and nobody has acknowledged its result yet.
    var hasResult: Bool {
        if case .success? = self.outcome { true } else { false }
    }

    /// Whether a request joins this login. A login that the user has given up is not joined, also if the server has not
    /// heard of it yet.
    func isJoined(by request: LoginRequest) -> Bool {
        !self.session.isCancelling && request.isSame(as: self.session.request)
    }

    /// Gives the login a window, and opens what is due.
    func attach(_ window: any LoginWindow) {
        self.window = window
        self.windowName = window.name
        self.opened[self.session] = OpenedLogins.Entry(
            window: window.name, browser: self.opened[self.session]?.browser)
        self.show(self.progress)
        guard let action = self.pendingAction else { return }
        self.pendingAction = nil
        self.perform(action)
    }

    // MARK: - The result

    /// Waits for the result. If its task is cancelled, this call stops waiting, and the login goes on.
    func result() async throws(LoginFailure) -> CompletedLogin {
        if let outcome { return try outcome.get() }
        self.count += 1
        let number = self.count
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Outcome, Never>) in
                if Task.isCancelled {
                    continuation.resume(returning: .failure(self.waitingStopped))
                } else {
                    self.waiters[number] = continuation
                }
            }
        } onCancel: {
            Task { @MainActor in
                self.waiters.removeValue(forKey: number)?.resume(returning: .failure(self.waitingStopped))
            }
        }
        return try outcome.get()
    }

    private var waitingStopped: LoginFailure { LoginFailure(.waitingStopped, reference: self.progress.reference) }

    private func end(_ result: Outcome) {
        self.outcome = result
        self.release(result)
    }

    private func release(_ result: Outcome) {
        let waiters = self.waiters
        self.waiters = [:]
        for waiter in waiters.values { waiter.resume(returning: result) }
    }

    // MARK: - What the user does

    /// Opens again what the login waits for.
    func continueLogin() {
        guard let attempt = self.fallbacks.first else {
            self.session.openAgain()
            return
        }
        self.fallbacks.removeFirst()
        guard let window else { return }
        Task { _ = await window.open(attempt) }
    }

    func enter(code: String) { self.session.enter(code: code) }

    /// The user gives up. While the server does not answer, the login is only forgotten here, and expires there.
    func cancel() {
        if self.progress.kind == .retrying { self.session.abandon() } else { self.session.cancel() }
    }

    /// Another login takes the place of this one in the window. This one goes on, as the user may still complete it in
    /// what is open: it opens nothing any more, and ends by its own outcome.
    func replace() {
        self.isReplaced = true
        self.window?.closeBrowser()
        self.window = nil
        self.release(.failure(LoginFailure(.replaced, reference: self.progress.reference)))
        self.publish()
    }

    /// The window has no other login any more, and gets the result of this one.
    func restore() { self.isReplaced = false }

    // MARK: - What the login says

    private func take(_ state: LoginState) {
        switch state.kind {
        case .finished:
            if let login = state.login { self.finish(login) }
        case .failed:
            self.window?.closeBrowser()
            if let error = state.error { self.fail(LoginFailure(error, reference: self.progress.reference)) }
        default:
            if state.kind != .retrying { self.fallbacks = [] }
            self.show(state)
            if let action = state.action { self.perform(action) }
        }
    }

    private func finish(_ login: Login) {
        self.window?.closeBrowser()
        guard login.status == .completed, !self.hasFailed else {
            self.fail(LoginFailure(login))
            // Without a result there is nothing that the app has to keep.
            self.session.acknowledge()
            return
        }
        let completed = CompletedLogin(login: login, session: self.session)
        self.end(.success(completed))
        var progress = LoginProgress(.over, reference: login.reference)
        progress.login = completed
        self.show(progress)
    }

    private var hasFailed: Bool {
        if case .failure? = self.outcome { true } else { false }
    }

    /// The first failure counts: what follows it is only the end of the same login.
    private func fail(_ failure: LoginFailure) {
        guard !self.hasFailed else { return }
        self.end(.failure(failure))
        var progress = LoginProgress(.over, reference: failure.reference)
        progress.failure = failure
        self.show(progress)
    }

    private func show(_ state: LoginState) {
        guard !self.hasFailed else { return }
        let triesLeft = self.progress.kind == .codeWanted ? self.progress.triesLeft : nil
        self.show(LoginProgress(state, hasBrowser: self.window?.hasBrowser ?? false, triesLeft: triesLeft))
    }

    private func show(_ progress: LoginProgress) {
        self.progress = progress
        self.publish()
    }

    // MARK: - Rule 2

    private func perform(_ action: NextAction) {
        guard !self.isReplaced, !self.hasFailed else { return }
        guard let window else {
            self.pendingAction = action
            return
        }
        switch action.kind {
        case .openBrowser:
            // The page that is shown again has no callback of its own.
            if let launch = action.browser {
                self.open(launch, in: window, isResumed: launch.callback == nil && launch.callbackScheme == nil)
            }
        case .resumeBrowser:
            // A browser that is still on top of the app continues automatically.
            if let launch = action.browser, !window.hasBrowser { self.open(launch, in: window, isResumed: true) }
        case .openApp:
            if let launch = action.app { self.open(AppLinks(launch), in: window) }
        default: break
        }
    }

    private func open(_ launch: BrowserLaunch, in window: any LoginWindow, isResumed: Bool) {
        let opening = BrowserOpening(
            launch, preference: self.session.request.surface,
            earlier: isResumed ? self.opened[self.session]?.browser : nil, hasHTTPS: window.hasHTTPS)
        guard let opening else {
            self.session.browserDidClose()
            return
        }
        // First, because the app may be killed behind the browser.
        self.opened[self.session] = OpenedLogins.Entry(window: window.name, browser: opening.browser)
        window.open(opening) { [weak self] end in self?.take(end) }
        self.show(LoginProgress(window.hasBrowser ? .inBrowser : .waiting, reference: self.progress.reference))
    }

    private func take(_ end: BrowserEnd) {
        switch end {
        case .link(let link):
            Task { if await !self.handIn(link) { self.session.browserDidClose() } }
        case .closed, .notShown:
            self.session.browserDidClose()
            // What is due already could not be shown below the browser.
            if [.codeWanted, .retrying].contains(self.progress.kind) { self.show(self.progress) }
        case .misconfigured(let sentence):
            self.fail(.misconfigured(sentence, reference: self.progress.reference))
            self.session.cancel()
        }
    }

    private func open(_ links: AppLinks, in window: any LoginWindow) {
        Task {
            for attempt in links.attempts where await window.open(attempt) { return }
            // Neither the web page nor the store opens without the user's word.
            self.fallbacks = links.fallbacks
            var progress = LoginProgress(.appMissing, reference: self.progress.reference)
            progress.canContinue = !links.fallbacks.isEmpty
            if self.outcome == nil { self.show(progress) }
        }
    }
}
