import Foundation
import SwitchbackClient

/// What an app does around the library: it passes on what happens on the phone, and reports what to open and to show.
actor MatrixApp {
    private let client: LoginClient
    private let store: FileSavedLoginStore
    private var login: LoginSession?
    /// Whether a browser may be open that the app can close.
    private var mayBeOpen = true

    init(server: URL, folder: URL) {
        self.store = FileSavedLoginStore(folder: folder)
        self.client = LoginClient(
            server: server, store: self.store,
            dependencies: LoginClientDependencies { try await Connection.send($0) })
    }

    /// What an app does at each start.
    func begin() async {
        if let login = try? await self.client.resume().first { self.follow(login) }
        Report.ready.write()
    }

    func perform(_ order: Order) async {
        switch order.order {
        case .start: self.start(order)
        case .link: _ = await self.client.open(order.link ?? "")
        case .closed: self.login?.browserDidClose()
        case .enterCode: self.login?.enter(code: order.code ?? "")
        case .cancel: self.login?.cancel()
        case .openAgain: self.login?.openAgain()
        case .foreground: self.client.didEnterForeground()
        case .background: self.client.didEnterBackground()
        case .acknowledge: self.login?.acknowledge()
        case .logins: Report(report: "logins", count: try? await self.store.all().count).write()
        }
    }

    private func start(_ order: Order) {
        var request = NewLogin(provider: order.provider ?? "", platform: order.platform, surface: order.surface)
        request.app = order.app
        self.follow(self.client.start(request))
    }

    private func follow(_ login: LoginSession) {
        self.login = login
        let states = login.states
        Task { for await state in states { self.tell(state, of: login) } }
    }

    private func tell(_ state: LoginState, of login: LoginSession) {
        switch state.kind {
        case .starting: Report.state("starting").write()
        case .inProgress: self.tell(state.action, of: login)
        case .paused: Report.state("paused").write()
        case .wrongCode: Report.state("wrong_code", triesLeft: state.triesLeft).write()
        case .retrying: Report.state("retrying").write()
        case .finished:
            if self.mayBeOpen { Report.dismiss.write() }
            self.mayBeOpen = false
            if let result = state.login { Report.result(result).write() }
        case .failed: if let error = state.error { Report.failure(error).write() }
        default: Report.state("working").write()
        }
    }

    private func tell(_ action: NextAction?, of login: LoginSession) {
        switch action?.kind {
        case .openBrowser?, .resumeBrowser?:
            guard let action, let launch = action.browser else { return }
            self.mayBeOpen = true
            Report.open(launch, action.kind, in: Self.surface(of: launch, login.request.surface)).write()
        case .showBrowser?: Report.show.write()
        case .openApp?: if let launch = action?.app { Report.openApp(launch).write() }
        case .enterCode?: Report.state("enter_code").write()
        default: Report.state("working").write()
        }
    }

    /// The surface that the app asked for, or the best one that the server allows in its place. It follows from what is
    /// stored, so it is the same after a kill.
    private static func surface(of launch: BrowserLaunch, _ requestedSurface: Surface?) -> Surface? {
        let fitting = launch.surfaces
        guard let requestedSurface, fitting.isEmpty || fitting.contains(requestedSurface) else {
            return fitting.first ?? requestedSurface
        }
        return requestedSurface
    }
}
