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
