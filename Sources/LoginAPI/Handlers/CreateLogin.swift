import Base
import HTTPWire
import Logins

/// `POST /v1/logins`: an app starts a login, or gets the login that this poll secret has already started.
final class CreateLogin: RespondingHandler {
    private let flow: LoginFlow
    private let answers: LoginResponses
    private let limits: RequestLimits
    private let keys: AppKeys
    private let pages: Pages
    private let audit: AuditDesk?
    /// The app for requests that name none.
    private let defaultApp: String?

    init(_ services: PublicServices) {
        self.flow = services.logins
        self.answers = services.answers
        self.limits = services.limits
        self.keys = services.keys
        self.pages = services.pages
        self.audit = services.audit
        self.defaultApp = services.settings.defaultApp
    }

    nonisolated(nonsending) func respond(to context: RequestContext, _: String) async throws(Problem) -> Response {
        let client = context.client
        try self.limits.takeCreate(from: client, at: context.loop.elapsed)
        let body = try CreateBody(context.request, defaultApp: self.defaultApp)
        // We check this before counting, so that the table of counts contains only our own names.
        guard self.keys.keys[body.login.app] != nil else { throw Problem(.unknownApp, member: "app") }
        try self.limits.takeCreate(for: body.login.app, from: client, at: context.loop.elapsed)
        // An app's own backend calls for all of its users, from one address.
        let hasKey = try self.keys.isOfBackend(context.request, of: body.login.app)
        let agent = UserAgent(context.request.fields.all(.userAgent))
        let caller =
            hasKey
            ? ClientContext(address: context.address, hasKey: true, agent: agent)
            : context.clientContext(self.limits, agent: agent)
        // Its result could not be given to anyone.
        try self.audit?.admit()
        let secret = body.pollSecret ?? PollSecret.make()
        let view: LoginView
        let isNew: Bool
        do throws(LoginFlowError) {
            (view, isNew) = try await context.inTurn { () async throws(LoginFlowError) in
                try await self.flow.create(body.login, secret: secret, by: caller)
            }
        } catch {
            if case .tooManyPending = error { self.limits.noteTooManyPending() }
            if case .providerOff = error { throw self.refusal(of: body.login, context.languages) }
            throw Problem(refusal: error)
        }
        var response = try await self.answers.response(
            to: context, isNew ? .created : .ok, view, pollSecret: body.pollSecret == nil ? secret : nil,
            unknown: body.unknown)
        response.fields[.location] = PathPattern.login.path(view.id.description)
        return response
    }

    /// Returns the problem of a provider that is switched off, with words for the user.
    private func refusal(of login: LoginRequest, _ languages: [String]) -> Problem {
        let languages = (login.locale.map { [$0] } ?? []) + languages
        return Problem(providerOff: self.pages.notice(of: login.provider, languages: languages).text)
    }
}

/// The body of `POST /v1/logins`, with the syntax of every known member checked.
struct CreateBody {
    private(set) var login: LoginRequest
    /// Nil if the app sent none.
    let pollSecret: PollSecret?
    let unknown: UnknownMembers

    /// Uses `defaultApp` if the body names no app.
    init(_ request: Request, defaultApp: String?) throws(Problem) {
        var body = try JSONBody(request)
        guard let provider = try body.readText("provider", InputSyntax.isName) else { throw body.missing("provider") }
        let appName = try body.readText("app", InputSyntax.isName)
        guard let app = appName ?? defaultApp else { throw body.missing("app") }
        self.login = LoginRequest(provider: provider, app: app)
        self.login.platform = try body.readWord("platform")
        self.login.os = try body.readPreference("os", InputSyntax.systemName(in:))
        self.login.surface = try body.readWord("surface")
        self.login.eidAppInstalled = try body.readBool("eid_app_installed")
        self.login.appSwitch = try body.readBool("app_switch") ?? true
        self.login.locale = try body.readPreference("locale", InputSyntax.languageTag(in:))
        self.login.nonce = try body.readText("nonce") { InputSyntax.isText($0, atMost: 256) }
        self.login.parameters = try body.readTexts("parameters", atMost: 16) { InputSyntax.isText($0, atMost: 1024) }
        self.login.callback = try body.readWord("callback")
        self.login.dpopThumbprint = try body.readText("dpop_jkt", InputSyntax.isThumbprint)
        if let names = try body.readNames("actions", atMost: 32) { self.login.actions = KnownActions(names) }
        self.login.replaces = try Self.secret("replaces", in: &body)
        self.pollSecret = try Self.secret("poll_secret", in: &body)
        self.unknown = try UnknownMembers(body.unreadNames, ignored: body.ignored, in: request)
    }

    private static func secret(_ name: String, in body: inout JSONBody) throws(Problem) -> PollSecret? {
        guard let text = try body.readText(name, { _ in true }) else { return nil }
        guard let secret = PollSecret(text) else { throw body.invalid(name) }
        return secret
    }
}
