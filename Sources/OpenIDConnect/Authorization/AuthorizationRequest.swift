/// What we ask a provider through the browser: an authorization code for an ID token (Core 3.1.2.1), with PKCE.
import JOSE

package struct AuthorizationRequest: Sendable {
    package typealias Parameter = (name: String, value: String)

    package enum Failure: String, Error, CaseIterable, Sendable {
        /// Without the scope `openid` there would be no ID token.
        case openIDScopeMissing
        /// An additional parameter that is one of ours, or is there twice.
        case parameterNotAllowed
        /// A signed style without a signer, or a key that cannot sign.
        case signing
        /// The provider takes no pushed requests.
        case pushEndpointMissing
        /// See `ClientAuthentication.Failure`.
        case colonInClientID
        case endpointAlias
    }

    /// How the request goes out.
    package enum Authorization: Sendable {
        /// With the browser.
        case url(String)
        /// First by us: its answer makes the URL (`url(pushed:metadata:)`).
        case push(ProviderRequest)
    }

    let client: Client
    private let challenge: Challenge
    private let scope: [String]
    let maxAge: Int?
    /// Single claims that are asked for, and how urgently (Core 5.5).
    let wantedClaims: JSON.Object?
    private let options: [Parameter]
    private let additional: [Parameter]

    package init(
        client: Client, challenge: Challenge, scope: [String], prompt: String? = nil, maxAge: Int? = nil,
        acrValues: [String] = [], uiLocales: [String] = [], claims: JSON.Object? = nil,
        additional: [Parameter] = []
    ) {
        self.client = client
        self.challenge = challenge
        self.scope = scope
        self.maxAge = maxAge
        self.wantedClaims = claims
        var options: [Parameter] = []
        if let prompt { options.append(("prompt", prompt)) }
        if let maxAge { options.append(("max_age", String(maxAge))) }
        if !acrValues.isEmpty { options.append(("acr_values", acrValues.joined(separator: " "))) }
        if !uiLocales.isEmpty { options.append(("ui_locales", uiLocales.joined(separator: " "))) }
        if let claims { options.append(("claims", String(decoding: JSON.object(claims).encoded(), as: UTF8.self))) }
        self.options = options
        self.additional = additional
    }

    /// The request in the client's style.
    package func authorization(metadata: ProviderMetadata, now: Timestamp) throws(Failure) -> Authorization {
        guard self.scope.contains("openid") else { throw .openIDScopeMissing }
        try self.checkAdditional()
        let object = try self.client.requestStyle.isSigned ? self.requestObject(for: metadata.issuer, now: now) : nil
        guard self.client.requestStyle.isPushed else {
            let parameters = object.map { self.outer + [("request", $0)] } ?? self.parameters
            return .url(Self.append(parameters, to: metadata.authorizationEndpoint))
        }
        // RFC 9126 §3: besides a request object stands only what says whose it is.
        let parameters = object.map { [self.clientID, ("request", $0)] } ?? self.parameters
        return .push(try self.push(parameters, metadata, now))
    }

    /// The query that the endpoint already has is kept (RFC 6749 §3.1).
    static func append(_ parameters: [Parameter], to endpoint: EndpointURL) -> String {
        let query = FormEncoding.encode(parameters, space: .escaped)
        guard let existing = endpoint.query else { return "\(endpoint.text)?\(query)" }
        return existing.isEmpty ? endpoint.text + query : "\(endpoint.text)&\(query)"
    }
}

// MARK: - The parameters

extension AuthorizationRequest {
    var clientID: Parameter { ("client_id", self.client.clientID) }

    /// What stands outside of a request object too (RFC 9101 §5; Core 6.1 for `response_type` and `scope`). Some
    /// providers look for `redirect_uri` before they open the object.
    private var outer: [Parameter] {
        [
            self.clientID, ("response_type", "code"), ("scope", self.scope.joined(separator: " ")),
            ("redirect_uri", self.client.redirectURI),
        ]
    }

    /// All of them, each once.
    var parameters: [Parameter] {
        let ours: [Parameter] = [
            ("state", self.challenge.state), ("nonce", self.challenge.nonce),
            ("code_challenge", self.challenge.codeChallenge), ("code_challenge_method", "S256"),
        ]
        let mode = self.client.responseMode
        let modes: [Parameter] = mode == .query ? [] : [("response_mode", mode.rawValue)]
        return self.outer + ours + modes + self.options + self.additional
    }

    /// What we decide, in whatever form the request is sent, with the claims about a request object and the proofs of
    /// the client.
    private static let decided: Set = [
        "client_id", "response_type", "scope", "redirect_uri", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "prompt", "max_age", "acr_values", "ui_locales", "claims",
        "request", "request_uri", "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_secret",
        "client_assertion", "client_assertion_type",
    ]

    /// RFC 6749 §3.1: no parameter twice, and none that we decide.
    private func checkAdditional() throws(Failure) {
        var taken = Self.decided
        for (name, _) in self.additional {
            guard !name.isEmpty, taken.insert(name).inserted else { throw .parameterNotAllowed }
        }
    }
}

/// An additional parameter may name a person (`login_hint`).
extension AuthorizationRequest: Unprinted {}

/// So does the URL, which says our `state` besides.
extension AuthorizationRequest.Authorization: Unprinted {}
