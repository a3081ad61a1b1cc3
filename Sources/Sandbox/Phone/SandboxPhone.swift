/// A phone with an app on it, as pages on the app's link host: buttons that log in, what the server says next, and what
/// happens when a link opens the app. It is for a user with a browser, instead of a real phone.
import Base
import HTTPServer
import HTTPWire
import StrictJSON

package struct SandboxPhone: RequestHandler {
    /// An app to choose from.
    package typealias App = (id: String, name: String)

    private static let login = "/login"

    /// The origin of these pages, to which the links to the app lead.
    private let origin: String
    private let apps: [App]
    private let app: PhoneApp

    package init(
        origin: String, apps: [App], send: @escaping PhoneRequest.Send, now: @escaping @Sendable () -> Timestamp
    ) {
        self.origin = origin
        self.apps = apps
        self.app = PhoneApp(send: send, now: now)
    }

    package func handle(_ request: Request, _ responder: ResponseHandle) {
        if request.target.path == Stylesheet.path {
            return responder.respond(Stylesheet.file.response(to: request))
        }
        Task { responder.respond(await self.respond(to: request)) }
    }

    private func respond(to request: Request) async -> Response {
        let path = request.target.path
        if path == "/", request.method == .get {
            return await self.showButtons()
        }
        if path == Self.login, request.method == .post { return await self.begin(request) }
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
        let options = PhoneApp.Options(
            provider: provider, app: form["app"] ?? self.apps.first?.id ?? "", platform: form["platform"] ?? "ios",
            hasEIDApp: form["eid_app"] != "no")
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

    private static func show(_ key: String) -> Response {
        Response(.seeOther, fields: [.location: "\(Self.login)/\(key)", .cacheControl: "no-store"], body: [])
    }
}
