import Foundation
import SwitchbackClient

/// Logs users in: one call opens what the login needs, and returns its result.
///
/// Create one when the app starts, and keep it. A login outlives the call, the view and the process. Each window has
/// a login of its own.
@MainActor public final class Switchback {
    let configuration: SwitchbackConfiguration
    let client: LoginClient
    /// The user's session on this phone. It is used only if the configuration says that there are sessions.
    public let session: SessionClient
    private let opened: OpenedLogins
    private let languages: @Sendable () -> [String]
    private let probe: AppProbe
    /// The newest first.
    private(set) var flows: [LoginFlow] = []
    /// Logins that were followed once. The client may still know them.
    private var followedIDs: Set<SavedLogin.ID> = []
    private var readers: [String: Readers<LoginProgress>] = [:]
    private let listReaders = Readers<[OpenLogin]>([])
    /// What every window shows in a preview; nil in an app.
    private var previewProgress: LoginProgress?
    /// The windows that were seen, for the library's own code.
    var windows: [String: any LoginWindow] = [:]

    init(
        _ configuration: SwitchbackConfiguration, client: LoginClient, session: SessionClient, opened: OpenedLogins,
        probe: AppProbe, languages: @escaping @Sendable () -> [String] = { Locale.preferredLanguages }
    ) {
        (self.configuration, self.client, self.session) = (configuration, client, session)
        (self.opened, self.probe, self.languages) = (opened, probe, languages)
    }

    /// Returns the providers of the app, with their names in the user's language, logos and countries, and whether the
    /// e-ID's app is on this phone: for the buttons.
    public func providers() async throws(ProvidersError) -> [EIDProvider] {
        let providers = try await self.client.providers(languages: self.languages())
        return providers.map { provider in
            var provider = provider
            provider.isEIDAppInstalled = self.probe.isInstalled(provider)
            return provider
        }
    }

    /// The texts of the screens: those of the configuration, or of the phone's language.
    public var texts: ScreenTexts { self.configuration.texts ?? ScreenTexts(languages: self.languages()) }

    // MARK: - Links

    /// Hands in a link that opened the app. Pass every link. Returns false if it belongs to no login.
    @discardableResult
    public func open(_ url: URL) async -> Bool {
        let isOurs = await self.client.open(url.absoluteString)
        await self.adopt()
        return isOurs
    }

    // MARK: - For a window

    /// Logs in. The same request again joins the login that is there, and another one replaces it.
    func logIn(_ request: LoginRequest, over window: any LoginWindow) async throws(LoginFailure) -> CompletedLogin {
        self.windows[window.name] = window
        await self.adopt()
        let former = self.flow(of: window.name)
        if let flow = former {
            guard !flow.isJoined(by: request) else {
                flow.attach(window)
                // The user pressed the button again, so the browser is not in front.
                if self.readers(of: window.name).present.kind == .paused { flow.continueLogin() }
                return try await flow.result()
            }
            flow.replace()
        }
        let flow = try await self.start(request, over: window, replacing: former?.session)
        return try await flow.result()
    }

    private func start(
        _ request: LoginRequest, over window: any LoginWindow, replacing former: LoginSession?
    ) async throws(LoginFailure) -> LoginFlow {
        var former = former
        let hasAuthSession = window.hasHTTPS || request.callback == .scheme
        let surface = self.configuration.surface ?? (hasAuthSession ? .authSession : .tab)
        var login = request.newLogin(app: self.configuration.app, surface: surface, language: self.languages().first)
        if self.configuration.hasSession {
            do throws(SessionError) { login = try await self.session.prepare(login) } catch {
                throw LoginFailure(error)
            }
        }
        // While the key was made, a second tap may have begun the same login.
        if let flow = self.flow(of: window.name) {
            if flow.isJoined(by: request) { return flow }
            flow.replace()
            former = flow.session
        }
        let session = former.map { self.client.start(login, replacing: $0) } ?? self.client.start(login)
        let flow = self.follow(session, windowName: window.name, isNewest: true)
        flow.attach(window)
        return flow
    }

    /// Gives a window the login that belongs to it: its own from before the app was killed, or the newest whose
    /// window is no more. `names` are the windows that the system still knows.
    func resume(over window: any LoginWindow, names: Set<String>) async -> LoginProgress {
        self.windows[window.name] = window
        await self.adopt()
        let orphan = self.flows.first { $0.window == nil && !$0.isReplaced && !names.contains($0.windowName) }
        if let flow = self.flow(of: window.name) ?? orphan, flow.window !== window { flow.attach(window) }
        // A login that was replaced and completed after all: its result counts more than a login without one.
        if let late = self.flows.first(where: { $0.isReplaced && $0.hasResult && !names.contains($0.windowName) }) {
            let present = self.flow(of: window.name)
            guard present?.hasResult != true else { return self.readers(of: window.name).present }
            guard present == nil else { return late.progress }
            late.restore()
            late.attach(window)
        }
        return self.readers(of: window.name).present
    }

    func current(of name: String) -> AsyncStream<LoginProgress> { self.readers(of: name).makeStream() }

    func progress(of name: String) -> LoginProgress { self.readers(of: name).present }

    func flow(of name: String) -> LoginFlow? { self.flows.first { $0.windowName == name && !$0.isReplaced } }

    // MARK: - All logins

    /// All logins of this process, the newest first, for one more reader: those of each window, and those that another
    /// login has replaced and that are not over. It begins with the present list.
    public var logins: AsyncStream<[OpenLogin]> { self.listReaders.makeStream() }

    /// Cancels one of the logins, also one that was replaced. Call it only when the user gives it up.
    public func cancel(_ login: OpenLogin) { self.flows.first { $0.session.id == login.id }?.cancel() }

    // MARK: - Following

    private func adopt() async {
        guard let sessions = try? await self.client.resume() else { return }
        for session in sessions where !self.followedIDs.contains(session.id) {
            let name = self.opened[session]?.window ?? ""
            let newer = self.flow(of: name)
            let flow = self.follow(session, windowName: name, isNewest: false)
            if newer != nil, !name.isEmpty {
                flow.replace()
            } else if let window = self.windows[name] {
                flow.attach(window)
            }
        }
    }

    private func follow(_ session: LoginSession, windowName: String, isNewest: Bool) -> LoginFlow {
        self.followedIDs.insert(session.id)
        let flow = LoginFlow(
            session, windowName: windowName, opened: self.opened,
            handIn: { [client] in await client.open($0) },
            publish: { [weak self] in self?.publish(session) })
        self.flows.insert(flow, at: isNewest ? 0 : self.flows.count)
        self.publish(session)
        Task {
            await flow.run()
            self.flows.removeAll { $0 === flow }
            self.publishList()
        }
        return flow
    }

    private func publish(_ session: LoginSession) {
        self.publishList()
        guard let flow = self.flows.first(where: { $0.session === session }), self.flow(of: flow.windowName) === flow
        else { return }
        self.readers(of: flow.windowName).publish(flow.progress)
    }

    private func publishList() {
        let list = self.flows.map { flow in
            OpenLogin(
                id: flow.session.id, provider: flow.session.request.provider, windowName: flow.windowName,
                isReplaced: flow.isReplaced, progress: flow.progress)
        }
        if list != self.listReaders.present { self.listReaders.publish(list) }
    }

    private func readers(of name: String) -> Readers<LoginProgress> {
        if let readers = self.readers[name] { return readers }
        let newReaders = Readers(self.previewProgress ?? .idle)
        self.readers[name] = newReaders
        return newReaders
    }

    /// Shows a progress in every window, in the place of a login.
    func preview(_ progress: LoginProgress) {
        self.previewProgress = progress
        for readers in self.readers.values { readers.publish(progress) }
    }
}
