import Base
import StrictJSON

/// What a client requests by CIBA with a browser ("broker_oidc"). The hint in it says how the user is to log in.
struct BackchannelRequest: Sendable {
    let scope: [String]
    let idp: String?
    let prompt: [String]
    let nonce: String?
    /// Where the e-ID's app returns to.
    let appSwitchURL: String?
    /// Where the browser ends; nil for a page of the broker.
    var redirectURI: String?
    var state: String?

    /// Reads the form and its `login_hint_token`: JSON, or base64 of it.
    init(_ form: Parameters) throws(OAuthRefusal) {
        guard form.list("scope").contains("openid") else { throw Self.refused("scope must contain openid") }
        guard let text = form["login_hint_token"], let hint = Self.json(text)?.object else {
            throw Self.refused("login_hint_token is missing or not a JSON object")
        }
        guard hint["flow_type"]?.string == "broker_oidc" else { throw Self.refused("flow_type is not broker_oidc") }
        // The names and the rules are those of the authorization endpoint.
        let parameters = Parameters(
            hint.compactMap { member in
                Self.text(member.value).map { Parameter(member.name, $0) }
            })
        if let problem = NetsEIDParameters.problem(parameters) { throw Self.refused(problem) }
        self.scope = form.list("scope")
        self.idp = parameters.list("idp_values").first
        self.prompt = parameters.list("prompt")
        self.nonce = parameters["ciba_nonce"]
        self.appSwitchURL = ReturnURL.inIDPParams(parameters)
    }

    private static func json(_ text: String) -> JSON? {
        let bytes = text.hasPrefix("{") ? Array(text.utf8) : Base64.decode(text) ?? Base64URL.decode(text)
        return bytes.flatMap { try? JSON(parsing: $0) }
    }

    private static func text(_ value: JSON) -> String? {
        switch value {
        case .null: nil
        case .string(let text): text
        case .bool, .integer, .number, .decimal, .array, .object: String(decoding: value.encoded(), as: UTF8.self)
        }
    }

    private static func refused(_ description: String) -> OAuthRefusal { .init(.invalidRequest, description) }
}
