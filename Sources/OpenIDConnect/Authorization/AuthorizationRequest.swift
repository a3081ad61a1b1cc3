/// What we ask a provider through the browser: an authorization code for an ID token (Core 3.1.2.1), with PKCE.
import JOSE

package struct AuthorizationRequest: Sendable {
    package typealias Parameter = (name: String, value: String)

    package enum Failure: String, Error, CaseIterable, Sendable {
        /// Without the scope `openid` there would be no ID token.
        case openIDScopeMissing
        /// An additional parameter that is one of ours, or is there twice.
        case parameterNotAllowed
        case signing
    }

    let client: Client
    private let challenge: Challenge
    private let scope: [String]
    let maxAge: Int?
    private let options: [Parameter]
    private let additional: [Parameter]

    package init(
        client: Client, challenge: Challenge, scope: [String], prompt: String? = nil, maxAge: Int? = nil,
        acrValues: [String] = [], uiLocales: [String] = [], additional: [Parameter] = []
    ) {
        self.client = client
        self.challenge = challenge
        self.scope = scope
        self.maxAge = maxAge
        var options: [Parameter] = []
        if let prompt { options.append(("prompt", prompt)) }
        if let maxAge { options.append(("max_age", String(maxAge))) }
        if !acrValues.isEmpty { options.append(("acr_values", acrValues.joined(separator: " "))) }
        if !uiLocales.isEmpty { options.append(("ui_locales", uiLocales.joined(separator: " "))) }
        self.options = options
        self.additional = additional
    }

    /// Where to send the browser.
    package func url(metadata: ProviderMetadata, now: Timestamp) throws(Failure) -> String {
        guard self.scope.contains("openid") else { throw .openIDScopeMissing }
        try self.checkAdditional()
        guard let signer = self.client.requestObject else {
            return Self.append(self.parameters, to: metadata.authorizationEndpoint)
        }
        let object = try self.requestObject(for: metadata.issuer, signer: signer, now: now)
        return Self.append(self.outer + [("request", object)], to: metadata.authorizationEndpoint)
    }

    /// The query that the endpoint already has is kept (RFC 6749 §3.1).
    private static func append(_ parameters: [Parameter], to endpoint: EndpointURL) -> String {
        let query = FormEncoding.encode(parameters, space: .escaped)
        guard let existing = endpoint.query else { return "\(endpoint.text)?\(query)" }
        return existing.isEmpty ? endpoint.text + query : "\(endpoint.text)&\(query)"
    }
}

// MARK: - The parameters

extension AuthorizationRequest {
    /// What stands outside of a request object too (RFC 9101 §5; Core 6.1 for `response_type` and `scope`). Some
    /// providers look for `redirect_uri` before they open the object.
    private var outer: [Parameter] {
        [
            ("client_id", self.client.clientID), ("response_type", "code"),
            ("scope", self.scope.joined(separator: " ")), ("redirect_uri", self.client.redirectURI),
        ]
    }

    /// All of them, each once.
    var parameters: [Parameter] {
        let ours: [Parameter] = [
            ("state", self.challenge.state), ("nonce", self.challenge.nonce),
            ("code_challenge", self.challenge.codeChallenge), ("code_challenge_method", "S256"),
        ]
        let mode: [Parameter] =
            switch self.client.responseMode {
            case .query: []
            case .formPost: [("response_mode", "form_post")]
            }
        return self.outer + ours + mode + self.options + self.additional
    }

    /// RFC 6749 §3.1: no parameter twice. What we decide is never decided by an additional one, in whatever form the
    /// request is sent; nor are the claims about a request object.
    private func checkAdditional() throws(Failure) {
        var taken: Set = [
            "client_id", "response_type", "scope", "redirect_uri", "state", "nonce", "code_challenge",
            "code_challenge_method", "response_mode", "prompt", "max_age", "acr_values", "ui_locales", "request",
            "request_uri", "iss", "sub", "aud", "exp", "nbf", "iat", "jti",
        ]
        for (name, _) in self.additional {
            guard !name.isEmpty, taken.insert(name).inserted else { throw .parameterNotAllowed }
        }
    }
}

/// An additional parameter may name a person (`login_hint`).
extension AuthorizationRequest: Unprinted {}
