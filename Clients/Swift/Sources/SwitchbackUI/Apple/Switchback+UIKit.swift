// What an app calls: a login in one of its windows.

#if canImport(UIKit)
import Foundation
import SwitchbackClient
import UIKit

extension Switchback {
    /// Creates the library with this phone's network, files, Keychain and Secure Enclave. Create one when the app
    /// starts.
    public convenience init(_ configuration: SwitchbackConfiguration) {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        let folder = (support ?? FileManager.default.temporaryDirectory)
            .appendingPathComponent("Switchback", isDirectory: true)
        var dependencies = configuration.dependencies ?? .urlSession()
        if configuration.dependencies == nil { dependencies.log = configuration.log }
        let (logins, storage, keys) = Self.stores(configuration)
        let client = LoginClient(
            server: configuration.server, app: configuration.app, store: logins, dependencies: dependencies)
        let session = SessionClient(
            server: configuration.server, app: configuration.app, storage: storage, keys: keys,
            dependencies: dependencies, attesting: configuration.attestsApp ? AppAttestation() : nil)
        let schemes = Bundle.main.infoDictionary?["LSApplicationQueriesSchemes"] as? [String] ?? []
        self.init(
            configuration, client: client, session: session,
            opened: OpenedLogins(file: folder.appendingPathComponent("Opened.json")),
            probe: AppProbe(querySchemes: schemes) { UIApplication.shared.canOpenURL($0) })
        // All scenes together: one window that closes must not stop the polls of another.
        for (name, tell) in [
            (UIApplication.willEnterForegroundNotification, LoginClient.didEnterForeground),
            (UIApplication.didEnterBackgroundNotification, LoginClient.didEnterBackground),
        ] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in tell(client)() }
        }
    }

    private static func stores(_ configuration: SwitchbackConfiguration) -> (
        any SavedLoginStore, any SessionStorage, any SessionKeyStore
    ) {
        switch configuration.store {
        case .keychain(let accessGroup):
            let stores = KeychainStores(app: configuration.app, accessGroup: accessGroup)
            return (stores.logins, stores.session, stores.keys)
        case .files(let folder):
            return (
                FileSavedLoginStore(folder: folder.appendingPathComponent("Logins", isDirectory: true)),
                FileSessionStorage(file: folder.appendingPathComponent("Session.json")),
                SecureEnclaveKeys(prefix: "switchback.\(configuration.app)")
            )
        }
    }

    // MARK: - A login

    /// Logs the user in: opens what the login needs on top of this window, and returns when it is over. Without a
    /// window it takes the one in front.
    ///
    /// The same request again in the same window joins the login that is there. Another request replaces it: the old one
    /// goes on without the window, and is in `logins` until it ends.
    /// Cancelling the task ends the waiting and not the login, which `current` then shows.
    public func logIn(_ request: LoginRequest, in window: UIWindow? = nil) async throws(LoginFailure) -> CompletedLogin
    {
        guard let browser = self.browser(for: window) else { throw LoginFailure(.failed) }
        return try await self.logIn(request, over: browser)
    }

    /// The login of the window in front, for one more reader. It begins with what there is to show now.
    public var current: AsyncStream<LoginProgress> { self.current(in: nil) }

    /// Returns the login of a window, for one more reader. Any number may read, and one that goes away ends nothing.
    public func current(in window: UIWindow?) -> AsyncStream<LoginProgress> {
        self.current(of: self.browser(for: window)?.name ?? "")
    }

    /// Gives the window the login that was under way in it when the app was killed, and returns what to show. Call it
    /// at every start, once there is a window. A browser opens only if the server says that the login goes on in it.
    ///
    /// If the user has completed a login that another one replaced, its result is returned, until it is acknowledged.
    @discardableResult
    public func resumed(in window: UIWindow? = nil) async -> LoginProgress {
        guard let browser = self.browser(for: window) else { return .idle }
        let names = Set(UIApplication.shared.openSessions.map(\.persistentIdentifier))
        return await self.resume(over: browser, names: names.subtracting([browser.name]))
    }

    // MARK: - What the user does

    /// Opens again what the login waits for. Call it for the button "Continue" or "Show the page again".
    public func continueLogin(in window: UIWindow? = nil) {
        guard let browser = self.browser(for: window), let flow = self.flow(of: browser.name) else { return }
        flow.attach(browser)
        flow.continueLogin()
    }

    /// Sends the six digits of the page, exactly as the user typed them.
    public func enter(code: String, in window: UIWindow? = nil) { self.flow(in: window)?.enter(code: code) }

    /// Cancels the login. Call it only when the user gives up. While the server does not answer, the login is
    /// forgotten on this phone, and expires at the server.
    public func cancel(in window: UIWindow? = nil) { self.flow(in: window)?.cancel() }

    // MARK: - Links

    /// Hands in the links of a scene that begins, which may be what starts the app: call it in
    /// `scene(_:willConnectTo:options:)`. It also does what `resumed` does.
    public func takeLinks(of options: UIScene.ConnectionOptions) {
        self.take(options.urlContexts.map(\.url) + options.userActivities.compactMap(\.webpageURL))
    }

    /// Hands in the links of a scene that runs: call it in `scene(_:openURLContexts:)`.
    public func takeLinks(of contexts: Set<UIOpenURLContext>) { self.take(contexts.map(\.url)) }

    /// Hands in the link of a scene that runs: call it in `scene(_:continue:)`.
    public func takeLinks(of activity: NSUserActivity) { self.take([activity.webpageURL].compactMap { $0 }) }

    func take(_ links: [URL]) {
        Task {
            for link in links { await self.open(link) }
            await self.resumed()
        }
    }

    // MARK: - Windows

    private func flow(in window: UIWindow?) -> LoginFlow? {
        self.browser(for: window).flatMap { self.flow(of: $0.name) }
    }

    func browser(for window: UIWindow?) -> WindowBrowser? {
        guard let window = window ?? Self.windowInFront else { return nil }
        let name = WindowBrowser.name(of: window)
        if let browser = self.windows[name] as? WindowBrowser, browser.isFor(window) { return browser }
        let browser = WindowBrowser(window)
        self.windows[name] = browser
        return browser
    }

    private static var windowInFront: UIWindow? {
        let scenes = UIApplication.shared.connectedScenes.compactMap { $0 as? UIWindowScene }
        let inFront = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
        return inFront?.keyWindow ?? inFront?.windows.first
    }
}
#endif
