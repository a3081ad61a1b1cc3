/// The body of `POST /v1/logins`: every known member is checked for its form.
import HTTPWire
import Logins

struct CreateBody {
    private(set) var login: LoginRequest
    /// Nil when the app brought none.
    let pollSecret: PollSecret?
    let unknown: UnknownMembers

    /// `defaultApp` is meant where the body names none.
    init(_ request: Request, defaultApp: String?) throws(Problem) {
        var body = try JSONBody(request)
        guard let provider = try body.text("provider", Form.isName) else { throw body.missing("provider") }
        let named = try body.text("app", Form.isName)
        guard let app = named ?? defaultApp else { throw body.missing("app") }
        self.login = LoginRequest(provider: provider, app: app)
        self.login.platform = try body.text("platform", oneOf: ["ios", "android", "web"])
        self.login.os = try body.text("os", Form.isName)
        self.login.surface = try body.text("surface", oneOf: ["auth_session", "tab", "system"])
        self.login.eidAppInstalled = try body.bool("eid_app_installed")
        self.login.appSwitch = try body.bool("app_switch") ?? true
        self.login.locale = try body.text("locale", Form.isLanguageTag)
        self.login.nonce = try body.text("nonce") { Form.isText($0, atMost: 256) }
        self.login.parameters = try body.texts("parameters", atMost: 16) { Form.isText($0, atMost: 1024) }
        self.login.callback = try body.text("callback", oneOf: ["https", "scheme"])
        self.pollSecret = try Self.pollSecret(&body)
        var unknown = UnknownMembers(in: request)
        try unknown.take(body.left)
        self.unknown = unknown
    }

    private static func pollSecret(_ body: inout JSONBody) throws(Problem) -> PollSecret? {
        guard let text = try body.text("poll_secret", { _ in true }) else { return nil }
        guard let secret = PollSecret(text) else { throw body.invalid("poll_secret") }
        return secret
    }
}
