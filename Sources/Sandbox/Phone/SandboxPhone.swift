/// A phone with an app on it, as pages on the app's link host: buttons that log in, what the server says next, and what
/// happens when a link opens the app. It is for a user with a browser, instead of a real phone.
import Base
import HTTPServer
import HTTPWire
import StrictJSON

package struct SandboxPhone: RequestHandler {
    /// An app to choose from.
    package struct App: Sendable {
        package let id: String
        package let name: String
        /// Whether its create names a key.
        var hasSessions = false

        package init(id: String, name: String) {
            self.id = id
            self.name = name
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

    /// The origin of these pages, to which the links to the app lead.
    private let origin: String
    private let apps: [App]
    private let sessions: Sessions?
    private let app: PhoneApp

    package init(
        origin: String, apps: [App], sessions: Sessions? = nil, send: @escaping PhoneRequest.Send,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.origin = origin
        self.apps = apps.map { app in
            var app = app
            app.hasSessions = app.id == sessions?.app
            return app
        }
        self.sessions = sessions
        self.app = PhoneApp(send: send, now: now)
    }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        if request.target.path == Stylesheet.path {
            return responder.respond(Stylesheet.file.response(to: request))
        }
        if request.target.path == PhoneScript.path {
            return responder.respond(PhoneScript.file.response(to: request))
        }
        Task { responder.respond(await self.respond(to: request)) }
    }

    private func respond(to request: Request) async -> Response {
        let path = request.target.path
        if path == "/", request.method == .get {
            return await self.showButtons()
        }
        if path == Self.login, request.method == .post { return await self.begin(request) }
        if let sessions {
            if path == Self.session, request.method == .get {
                return PhoneSessionPage(sessions: sessions, login: nil).response
            }
            if let call = PhoneRelay.call(for: request) { return PhoneRelay.response(await self.app.relay(call)) }
        }
        if path.hasPrefix(Self.login + "/") {
            return await self.respond(to: request, of: String(path.dropFirst(Self.login.count + 1)))
        }
        guard request.method == .get, let key = await self.app.open(self.origin + request.target.raw) else {
            return AppLinkPage.response(to: request)
        }
        return Self.show(key)
    }

    private func showButtons() async -> Response {
        var owners: [String: [String]] = [:]
        for app in self.apps {
            for provider in await self.app.fetchProviders(of: app.id) {
                owners[provider.id, default: []].append(app.name)
            }
        }
        let providers = await self.app.fetchProviders().map { ($0.id, $0.name, owners[$0.id] ?? []) }
        return PhoneButtonsPage(apps: self.apps, providers: providers).response
    }

    private func begin(_ request: Request) async -> Response {
        guard let form = Parameters(of: request), let provider = form["provider"] else {
            return ErrorPage(code: "invalid_request", description: "This form is not from the sandbox.").response
        }
        let app = form["app"] ?? self.apps.first?.id ?? ""
        let options = PhoneApp.Options(
            provider: provider, app: app, platform: form["platform"] ?? "ios", hasEIDApp: form["eid_app"] != "no",
            thumbprint: app == self.sessions?.app ? form["jkt"] : nil)
        let (key, answer) = await self.app.begin(options)
        guard let key else {
            let problem = (try? JSON(parsing: answer.body))?["detail"]?.string
            return ErrorPage(
                code: "status \(answer.status)", description: problem ?? "The server created no login."
            ).response
        }
        return Self.show(key)
    }

    /// Responds with the page of one login, or handles a pressed button.
    private func respond(to request: Request, of key: String) async -> Response {
        if let sessions, key.hasSuffix(Self.session) {
            return await self.respond(to: request, of: String(key.dropLast(Self.session.count)), sessions)
        }
        guard self.app.login(key) != nil, let parameters = Parameters(of: request) else {
            return ErrorPage(code: "unknown_login", description: "The app does not know this login.").response
        }
        guard request.method == .post else {
            if parameters["look"] != nil { await self.app.poll(key) }
            guard let login = self.app.login(key) else {
                return ErrorPage(code: "unknown_login", description: "The app has forgotten this login.").response
            }
            return PhoneLoginPage(login: login, path: "\(Self.login)/\(key)").response
        }
        switch parameters["press"] {
        case "code": await self.app.reportReturn(key, ["code": .string(parameters["code"] ?? "")])
        case "back": await self.app.reportBrowserGone(key)
        case "cancel": await self.app.cancel(key)
        case "done": await self.app.acknowledge(key)
        default: break
        }
        return Self.show(key)
    }

    /// Responds with the page on which a session begins, or begins it.
    private func respond(to request: Request, of key: String, _ sessions: Sessions) async -> Response {
        guard let login = self.app.login(key) else {
            return ErrorPage(code: "unknown_login", description: "The app does not know this login.").response
        }
        guard request.method == .post else {
            return PhoneSessionPage(sessions: sessions, login: "\(Self.login)/\(key)").response
        }
        return PhoneRelay.response(await self.app.relay(PhoneRelay.begin(login, request)))
    }

    private static func show(_ key: String) -> Response {
        Response(.seeOther, fields: [.location: "\(Self.login)/\(key)", .cacheControl: "no-store"], body: [])
    }
}
