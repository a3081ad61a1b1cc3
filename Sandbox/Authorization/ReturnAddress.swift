import StrictJSON

/// Where an authorization response goes, and how. It exists only for a redirect URI that the client has registered.
struct ReturnAddress: Sendable {
    let client: SandboxClient
    let redirectURI: String
    let mode: ResponseMode
    let state: String?

    /// Returns nil unless the URI is one of the client's, character by character (RFC 9700 §4.1.3).
    init?(client: SandboxClient, redirectURI: String, mode: ResponseMode, state: String?) {
        guard client.redirectURIs.contains(where: { $0.utf8.elementsEqual(redirectURI.utf8) }) else { return nil }
        self.client = client
        self.redirectURI = redirectURI
        self.mode = mode
        self.state = state
    }

    /// What `form-action` must name so that a browser sends the response.
    var formTargets: [String] { [Origin.source(of: self.redirectURI)].compactMap(\.self) + self.client.onwardOrigins }
}

/// OAuth 2.0 Multiple Response Types §2.1, Form Post Response Mode and JARM 2.3.
enum ResponseMode: String, CaseIterable, Sendable {
    case query
    case formPost = "form_post"
    case queryJWT = "query.jwt"
    case formPostJWT = "form_post.jwt"

    var isForm: Bool { self == .formPost || self == .formPostJWT }

    var isJWT: Bool { self == .queryJWT || self == .formPostJWT }
}

/// Where an e-ID's app returns to, in the brokers' own parameters.
enum ReturnURL {
    /// Reads the parameter of Nets eID Broker or of Idura.
    static func url(_ parameters: Parameters) -> String? {
        Self.inIDPParams(parameters) ?? Self.inLoginHint(parameters)
    }

    /// Nets eID Broker: returns the URL to which the MitID app returns.
    static func inIDPParams(_ parameters: Parameters) -> String? {
        guard let text = parameters["idp_params"], let json = try? JSON(parsing: Array(text.utf8)) else { return nil }
        return json["mitid"]?["app_switch_url"]?.string
    }

    /// Idura: returns the URL that resumes the app, which the app has put into `login_hint`.
    private static func inLoginHint(_ parameters: Parameters) -> String? {
        let mark = "appswitch:resumeUrl:"
        return parameters.list("login_hint").first { $0.hasPrefix(mark) }.map { String($0.dropFirst(mark.count)) }
    }
}
