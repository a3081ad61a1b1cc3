import Base
import HTTPServer
import HTTPWire
import StrictJSON

/// A phone with an app on it, as pages on the app's link host: buttons that log in, what the server says next, and what
/// happens when a link opens the app. It is for a user with a browser, instead of a real phone.
package struct SandboxPhone: RequestHandler {
    /// An app to choose from.
    package struct App: Sendable {
        package let id: String
        package let name: String
        /// What is special about it.
        let note: String?
        /// Whether its create names a key.
        var hasSessions = false

        package init(id: String, name: String, note: String? = nil) {
            self.id = id
            self.name = name
            self.note = note
        }
    }

    /// The one app that has sessions after its logins.
    package struct Sessions: Sendable {
        let app: String
        /// The server's origin, as DPoP proofs name it.
        let server: String
        /// The origin of an API that takes the access tokens.
        let api: String?

        package init(app: String, server: String, api: String?) {
            self.app = app
            self.server = server
            self.api = api
        }
    }

    private static let login = "/login"
    private static let session = "/session"
    private static let faults = "/faults"
    private static let tabs = "/tabs"
    /// How long a page waits for news, in seconds.
    private static let longestLook = 25

    /// The origin of these pages, to which the links to the app lead.
    private let origin: String
    private let apps: [App]
    private let sessions: Sessions?
    private let faults: PhoneFaults?
    private let recorder: CallRecorder?
    private let server: BenchServer?
    private let phones: VisitorPhones
    private let now: @Sendable () -> Timestamp

    package init(
        origin: String, apps: [App], sessions: Sessions? = nil, faults: PhoneFaults? = nil,
        recorder: CallRecorder? = nil, server: BenchServer? = nil, send: @escaping PhoneRequest.Send,
        now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    ) {
        self.origin = origin
        self.apps = apps.map { app in
            var app = app
            app.hasSessions = app.id == sessions?.app
            return app
        }
        self.sessions = sessions
        self.faults = faults
        self.recorder = recorder
        self.server = server
        self.now = now
        self.phones = VisitorPhones(VisitorPhone.Dependencies(send: send, now: now, sleep: sleep))
    }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        if let response = WebFile.response(to: request) { return responder.respond(response) }
        let visitor = PhoneVisitor(request)
        if self.isAppLink(request) { self.recorder?.begin(request, responder.key, from: .browser, to: .app) }
        Task { responder.respond(visitor.greet(await self.respond(to: request, of: visitor))) }
    }

    /// Whether the path is none of the phone's own.
    private func isAppLink(_ request: Request) -> Bool {
        let own = [Self.login, Self.session, Self.faults, Self.tabs, "/server", "/api", "/favicon.ico"]
        return !own.contains { path in request.target.path == path || request.target.path.hasPrefix(path + "/") }
            && request.target.path != "/"
    }

    private func respond(to request: Request, of visitor: PhoneVisitor) async -> Response {
        let path = request.target.path
        if path == "/", request.method == .get {
            return await self.showButtons(visitor)
        }
        if path == Self.tabs { return self.showTabs(visitor) }
        if path == Self.login, request.method == .post { return await self.begin(request, visitor) }
        if path == Self.faults, request.method == .post {
            if let provider = Parameters(of: request)?["provider"] { await self.faults?.reset(provider) }
            return Self.redirect(to: "/")
        }
        if let sessions {
            if path == Self.session, request.method == .get {
                return PhoneSessionPage(sessions: sessions, login: nil, tabs: self.tabs(of: visitor)).response
            }
            if let call = PhoneRelay.call(for: request) { return PhoneRelay.response(await self.phones.relay(call)) }
        }
        if path.hasPrefix(Self.login + "/") {
            return await self.respond(to: request, of: String(path.dropFirst(Self.login.count + 1)), visitor)
        }
        guard request.method == .get else { return AppLinkPage.response(to: request) }
        return await self.follow(request, visitor)
    }

    /// Responds to a link back that the user has followed.
    private func follow(_ request: Request, _ visitor: PhoneVisitor) async -> Response {
        guard let phone = self.phones.phone(of: visitor) else { return AppLinkPage.response(to: request) }
        switch await phone.open(self.origin + request.target.raw) {
        case .app(let key): return Self.show(key)
        case .browser:
            guard let server else { return AppLinkPage.response(to: request) }
            return Self.redirect(to: server.issuer + request.target.raw)
        case .otherPhone: return AppLinkPage.otherPhone
        case .nothing: return AppLinkPage.response(to: request)
        }
    }

    /// Returns what is beside the phone: for this login, or for the visitor's newest.
    private func tabs(of visitor: PhoneVisitor, _ login: PhoneLogin? = nil, at path: String = Self.tabs) -> BenchTabs {
        BenchTabs(
            calls: self.recorder?.calls(for: .visitor(visitor.id)) ?? [],
            login: (login ?? self.phones.phone(of: visitor)?.newestLogin)?.tabbed, server: self.server, path: path)
    }

    /// Responds with the tabs alone, for the script.
    private func showTabs(_ visitor: PhoneVisitor, _ login: PhoneLogin? = nil) -> Response {
        PageResponse(title: "What happens", body: self.tabs(of: visitor, login).renewed).response
    }

    private func showButtons(_ visitor: PhoneVisitor) async -> Response {
        var providers: [(id: String, name: String, apps: [String])] = []
        for app in self.apps {
            for (id, name) in await self.phones.fetchProviders(of: app.id) {
                if let index = providers.firstIndex(where: { $0.id == id }) {
                    providers[index].apps.append(app.name)
                } else {
                    providers.append((id, name, [app.name]))
                }
            }
        }
        let faults = self.faults.map { (offered: PhoneFaults.offered, standing: $0.standing) }
        return PhoneButtonsPage(
            tabs: self.tabs(of: visitor), apps: self.apps, providers: providers, faults: faults
        ).response
    }

    private func begin(_ request: Request, _ visitor: PhoneVisitor) async -> Response {
        guard let form = Parameters(of: request), let provider = form["provider"] else {
            return Self.refuse("invalid_request", "This form is not from the sandbox.")
        }
        let app = form["app"] ?? self.apps.first?.id ?? ""
        let colors = form["colors"].flatMap { TabColors.Choice(rawValue: $0) }
        let changesColors = colors != nil || TabColors.choice(of: request) != nil
        let options = VisitorPhone.Options(
            visitor: visitor, provider: provider, app: app, platform: form["platform"] ?? "ios",
            hasEIDApp: form["eid_app"] != "no", surface: form["surface"], locale: form["locale"],
            colors: changesColors ? colors?.rawValue ?? "" : nil,
            thumbprint: app == self.sessions?.app ? form["jkt"] : nil)
        let fault = form["fault"].flatMap(SandboxFault.named)
        if let fault, await self.faults?.prepare(fault, at: provider) == false { return Self.hasNoFault(provider) }
        let phone = self.phones.makePhone(of: visitor)
        let (key, answer) = await phone.begin(options, name: self.phones.name(of: provider))
        let login = key.flatMap { phone.login($0)?.id }
        if let login { self.recorder?.claim(login, by: visitor.id) }
        if let fault, await self.faults?.settle(fault, at: provider, login: login) == false {
            return Self.hasNoFault(provider)
        }
        guard let key else {
            let problem = (try? JSON(parsing: answer.body))?["detail"]?.string
            return Self.refuse("status \(answer.status)", problem ?? "The server created no login.")
        }
        var response = Self.show(key)
        // The e-ID's pages are at this host too.
        if changesColors { response.fields.add(.setCookie, TabColors.cookie(colors)) }
        return response
    }

    private static func hasNoFault(_ provider: String) -> Response {
        self.refuse("no_such_fault", "\(provider) cannot have this fault.")
    }

    /// Responds with the page of one login, or handles a pressed button.
    private func respond(to request: Request, of key: String, _ visitor: PhoneVisitor) async -> Response {
        if let sessions, key.hasSuffix(Self.session) {
            return await self.respond(to: request, of: String(key.dropLast(Self.session.count)), visitor, sessions)
        }
        guard let phone = self.phones.phone(of: visitor), phone.login(key) != nil,
            let parameters = Parameters(of: request)
        else { return Self.unknownLogin }
        guard request.method == .post else {
            if let seconds = parameters["look"].flatMap({ Int($0) }) {
                let duration = Duration.seconds(min(max(seconds, 1), Self.longestLook))
                await phone.wait(for: duration, after: parameters["seen"].flatMap { Int($0) })
            }
            return self.show(key, phone, visitor, parameters)
        }
        switch parameters["press"] {
        case "code": await phone.enter(parameters["code"] ?? "", key)
        case "cancel": await phone.cancel(key)
        case "back": await phone.reportBack(key)
        case "start": await phone.start(key)
        case "done": await phone.acknowledge(key)
        case let press?:
            if let interruption = PhoneInterruption(rawValue: press) {
                return await self.interrupt(key, phone, interruption)
            }
        case nil: break
        }
        return Self.show(key)
    }

    private static var unknownLogin: Response {
        self.refuse("unknown_login", "The app does not know this login.")
    }

    private func show(
        _ key: String, _ phone: VisitorPhone, _ visitor: PhoneVisitor, _ parameters: Parameters
    ) -> Response {
        // What is new after this number is shown by the next page.
        let seenNumber = phone.news.number
        guard let login = phone.login(key) else { return Self.unknownLogin }
        if parameters["look"] == "tabs" { return self.showTabs(visitor, login) }
        let path = "\(Self.login)/\(key)"
        let tabs = self.tabs(of: visitor, login, at: path + "?look=tabs")
        return PhoneLoginPage(
            login: login, path: path, seenNumber: seenNumber, tabs: tabs, outage: phone.outage, now: self.now(),
            isBreaking: parameters["break"] != nil
        ).response
    }

    private func interrupt(_ key: String, _ phone: VisitorPhone, _ interruption: PhoneInterruption) async -> Response {
        if let login = phone.login(key), let faults, !interruption.faults.isEmpty {
            var isSet = false
            for fault in interruption.faults.compactMap(SandboxFault.named) where !isSet {
                isSet = await faults.settle(fault, at: login.provider, login: login.id)
            }
            guard isSet else { return Self.hasNoFault(login.name) }
        }
        await phone.interrupt(key, interruption)
        return Self.show(key)
    }

    /// Responds with the page on which a session begins, or begins it.
    private func respond(
        to request: Request, of key: String, _ visitor: PhoneVisitor, _ sessions: Sessions
    ) async -> Response {
        guard let phone = self.phones.phone(of: visitor), let login = phone.login(key) else {
            return Self.unknownLogin
        }
        guard request.method == .post else {
            let path = "\(Self.login)/\(key)"
            let tabs = self.tabs(of: visitor, login, at: path + "?look=tabs")
            return PhoneSessionPage(sessions: sessions, login: path, tabs: tabs).response
        }
        // Without its secret the login was acknowledged, and its session has begun.
        guard let secret = phone.secret(of: key) else { return Self.unknownLogin }
        return PhoneRelay.response(await self.phones.relay(PhoneRelay.begin(secret, request)))
    }

    private static func refuse(_ code: String, _ description: String) -> Response {
        ErrorPage(code: code, description: description, link: ("/", "To the phone")).response
    }

    private static func show(_ key: String) -> Response { self.redirect(to: "\(Self.login)/\(key)") }

    private static func redirect(to path: String) -> Response {
        Response(.seeOther, fields: [.location: path, .cacheControl: "no-store"], body: [])
    }
}
