import Base
import StrictJSON

/// A valid authorization request that waits for the user.
struct SandboxAuthorizationRequest: Sendable {
    let address: ReturnAddress
    let scope: [String]
    let nonce: String?
    let codeChallenge: String
    let prompt: [String]
    let maxAge: Int?
    let contextClasses: [String]
    let locales: [String]
    let requested: RequestedClaims
    /// The e-ID to use (Nets eID Broker), and where its app returns to (Idura has this too).
    let idp: String?
    let appSwitchURL: String?
    /// Vipps: all parameters of the request, for the return of its app.
    let parameters: Parameters
    let loginHint: String?

    var client: SandboxClient { self.address.client }

    /// Core §3.1.2.1, and Vipps' way to request its app.
    var demandsFreshLogin: Bool {
        !Set(self.prompt).isDisjoint(with: ["login", "select_account"]) || self.maxAge.map { $0 < 3600 } ?? false
            || self.contextClasses.contains("urn:vipps:acr:app_auth")
    }

    /// The first requested class: the sandbox supports them all.
    var contextClass: String { self.contextClasses.first ?? "urn:sandbox:acr:substantial" }
}

// MARK: - Reading a request

extension SandboxAuthorizationRequest {
    private typealias Check = (code: OAuthErrorCode, description: String)

    /// RFC 6749 §4.1.1, RFC 7636 §4.3, Core §3.1.2.1.
    init(_ parameters: Parameters, for client: SandboxClient) throws(OAuthRefusal) {
        let address = try Self.address(parameters, client)
        func refused(_ code: OAuthErrorCode, _ description: String) -> OAuthRefusal {
            .init(code, description, to: address)
        }
        if let name = parameters.repeated.first { throw refused(.invalidRequest, "\(name) is repeated") }
        // Core §3.1.2.6.
        guard parameters["registration"] == nil else {
            throw refused(.registrationNotSupported, "registration is not supported")
        }
        if let rule = Self.validationError(parameters) { throw refused(rule.code, rule.description) }
        guard let challenge = parameters["code_challenge"], Self.isChallenge(challenge) else {
            throw refused(.invalidRequest, "code_challenge must be 43 characters of base64url")
        }
        self.address = address
        self.scope = parameters.list("scope")
        self.nonce = parameters["nonce"]
        self.codeChallenge = challenge
        self.prompt = parameters.list("prompt")
        self.maxAge = parameters["max_age"].flatMap { Int($0) }
        guard let requested = parameters["claims"].map(RequestedClaims.init) ?? RequestedClaims() else {
            throw refused(.invalidRequest, "claims is not the object of Core §5.5")
        }
        self.requested = requested
        self.parameters = parameters
        self.idp = parameters.list("idp_values").first
        self.appSwitchURL = ReturnURL.url(parameters)
        self.contextClasses = requested.contextClasses + parameters.list("acr_values")
        self.locales = parameters.list("ui_locales")
        self.loginHint = parameters["login_hint"]
    }

    private static func address(
        _ parameters: Parameters, _ client: SandboxClient
    ) throws(OAuthRefusal) -> ReturnAddress {
        let mode = ResponseMode(rawValue: parameters["response_mode"] ?? "query")
        guard let uri = parameters["redirect_uri"],
            let address = ReturnAddress(
                client: client, redirectURI: uri, mode: mode ?? .query, state: parameters["state"])
        else {
            throw .init(.invalidRequest, "redirect_uri is missing or not registered")
        }
        guard mode != nil else {
            let modes = ResponseMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw .init(.invalidRequest, "response_mode must be one of \(modes)", to: address)
        }
        return address
    }

    private static func validationError(_ parameters: Parameters) -> Check? {
        guard let type = parameters["response_type"] else { return (.invalidRequest, "response_type is missing") }
        guard type == "code" else { return (.unsupportedResponseType, "response_type must be code") }
        guard parameters.list("scope").contains("openid") else { return (.invalidScope, "scope must contain openid") }
        // RFC 7636 §4.3: the default would be `plain`.
        guard parameters["code_challenge_method"] == "S256" else {
            return (.invalidRequest, "code_challenge_method must be S256")
        }
        if let age = parameters["max_age"], !Self.isAge(age) { return (.invalidRequest, "max_age is not a number") }
        let prompt = parameters.list("prompt")
        guard prompt.contains("none") else { return nil }
        // There are no sessions here, so every login needs a page.
        guard prompt == ["none"] else { return (.invalidRequest, "prompt=none must be the only value") }
        return (.loginRequired, "the user is not logged in")
    }

    private static func isAge(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && Int(text) != nil
    }

    /// RFC 7636 §4.2: a SHA-256 digest in base64url.
    private static func isChallenge(_ text: String) -> Bool { Base64URL.decode(text)?.count == 32 }
}

/// The `claims` parameter: individual claims by name, for the ID token or the userinfo (Core §5.5).
struct RequestedClaims: Sendable {
    var inIDToken: Set<String> = []
    var inUserinfo: Set<String> = []
    /// The values of `acr`, the best first (Core §5.5.1.1).
    private(set) var contextClasses: [String] = []

    init() {}

    /// Returns nil for any other text.
    init?(_ text: String) {
        guard let members = (try? JSON(parsing: Array(text.utf8)))?.object else { return nil }
        for (place, value) in members where place == "id_token" || place == "userinfo" {
            guard let claims = value.object else { return nil }
            if place == "id_token" {
                self.inIDToken = Set(claims.names)
                self.contextClasses = Self.values(claims["acr"]?.object)
            } else {
                self.inUserinfo = Set(claims.names)
            }
        }
    }

    private static func values(_ request: JSON.Object?) -> [String] {
        if let value = request?["value"]?.string { return [value] }
        return request?["values"]?.array?.compactMap(\.string) ?? []
    }
}
