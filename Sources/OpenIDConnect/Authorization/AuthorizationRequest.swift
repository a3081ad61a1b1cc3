import Base
import StrictJSON

/// What we ask a provider through the browser: an authorization code for an ID token (Core 3.1.2.1), with PKCE.
package struct AuthorizationRequest: Sendable {
    /// How the request is sent.
    package enum Authorization: Sendable {
        /// The browser sends it.
        case url(String)
        /// We push it first. The response gives the URL (`url(pushed:metadata:)`).
        case push(ProviderRequest)
    }

    let client: Client
    private let challenge: Challenge
    private let scope: [String]
    let maxAge: Int?
    /// The individual claims that we ask for, and whether they are essential (Core 5.5).
    let requestedClaims: JSON.Object?
    private let prompt: String?
    private let acrValues: [String]
    private let uiLocales: [String]
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
        self.requestedClaims = claims
        self.prompt = prompt
        self.acrValues = acrValues
        self.uiLocales = uiLocales
        self.additional = additional
    }

    /// Builds the request in the client's style.
    package func authorization(metadata: ProviderMetadata, now: Timestamp) throws(AuthorizationRequestError)
        -> Authorization
    {
        guard self.scope.contains("openid") else { throw .openIDScopeMissing }
        try self.checkAdditional()
        let scope = Self.spaced(self.scope)
        guard self.client.requestStyle.isSigned else {
            guard self.client.requestStyle.isPushed else {
                return .url(self.plainURL(scope, metadata.authorizationEndpoint))
            }
            var all: [Parameter] = []
            self.visitAll(scope) { all.append(Parameter($0, $1)) }
            return .push(try self.push(all, metadata, now))
        }
        let object = try self.requestObject(scope, for: metadata.issuer, now: now)
        guard self.client.requestStyle.isPushed else {
            return .url(self.signedURL(scope, object, metadata.authorizationEndpoint))
        }
        // RFC 9126 §3: beside a request object only the client's identity is sent.
        let request = Parameter("request", String(decoding: object, as: UTF8.self))
        return .push(try self.push([self.clientID, request], metadata, now))
    }

    private func plainURL(_ scope: String, _ endpoint: EndpointURL) -> String {
        var query = FormQuery(of: endpoint)
        self.visitAll(scope) { query.append($0, $1) }
        return query.url
    }

    private func signedURL(_ scope: String, _ object: [UInt8], _ endpoint: EndpointURL) -> String {
        var query = FormQuery(of: endpoint)
        self.visitOuter(scope) { query.append($0, $1) }
        query.append(request: object)
        return query.url
    }
}

// MARK: - The parameters

extension AuthorizationRequest {
    var clientID: Parameter { Parameter("client_id", self.client.clientID) }

    /// The parameters that also stay outside a request object (RFC 9101 §5; Core 6.1 for `response_type` and `scope`).
    /// Some providers look for `redirect_uri` before they open the object.
    private func visitOuter(_ scope: String, _ visit: (String, String) -> Void) {
        visit("client_id", self.client.clientID)
        visit("response_type", "code")
        visit("scope", scope)
        visit("redirect_uri", self.client.redirectURI)
    }

    /// Visits all parameters, each once (see `checkAdditional`). Building an array would take longer than using it.
    func visitAll(_ scope: String, _ visit: (String, String) -> Void) {
        self.visitOuter(scope, visit)
        visit("state", self.challenge.state)
        visit("nonce", self.challenge.nonce)
        visit("code_challenge", self.challenge.codeChallenge)
        visit("code_challenge_method", "S256")
        let mode = self.client.responseMode
        if mode != .query { visit("response_mode", mode.rawValue) }
        if let prompt = self.prompt { visit("prompt", prompt) }
        if let maxAge = self.maxAge { visit("max_age", String(maxAge)) }
        if !self.acrValues.isEmpty { visit("acr_values", Self.spaced(self.acrValues)) }
        if self.client.namesLanguages, !self.uiLocales.isEmpty { visit("ui_locales", Self.spaced(self.uiLocales)) }
        if let claims = self.requestedClaims {
            visit("claims", String(decoding: JSON.object(claims).encoded(), as: UTF8.self))
        }
        for parameter in self.additional { visit(parameter.name, parameter.value) }
    }

    /// Most lists have one element, which needs no new text.
    private static func spaced(_ texts: [String]) -> String {
        texts.count == 1 ? texts[0] : texts.joined(separator: " ")
    }

    /// The parameters that we set ourselves, in any style; with them the claims of a request object, and the parameters
    /// that authenticate the client.
    private static let decided: Set = [
        "client_id", "response_type", "scope", "redirect_uri", "state", "nonce", "code_challenge",
        "code_challenge_method", "response_mode", "prompt", "max_age", "acr_values", "ui_locales", "claims",
        "request", "request_uri", "iss", "sub", "aud", "exp", "nbf", "iat", "jti", "client_secret",
        "client_assertion", "client_assertion_type",
    ]

    /// RFC 6749 §3.1: no parameter may appear twice, and none may replace one of ours.
    private func checkAdditional() throws(AuthorizationRequestError) {
        var usedNames = Self.decided
        for parameter in self.additional {
            guard !parameter.name.isEmpty, usedNames.insert(parameter.name).inserted else { throw .parameterNotAllowed }
        }
    }
}

/// An additional parameter may identify a user (`login_hint`).
extension AuthorizationRequest: RedactedDescription {}

/// So may the URL, which also contains our `state`.
extension AuthorizationRequest.Authorization: RedactedDescription {}

/// Why we cannot make an authorization request.
package enum AuthorizationRequestError: String, Error, CaseIterable, Sendable {
    /// Without the scope `openid` there would be no ID token.
    case openIDScopeMissing
    /// An additional parameter is one of ours or appears twice.
    case parameterNotAllowed
    /// The style needs a signature, but there is no signer or the key cannot sign.
    case signing
    /// The provider accepts no pushed requests.
    case pushEndpointMissing
    /// See `ClientAuthenticationError`.
    case colonInClientID
    case endpointAlias
}

extension AuthorizationRequestError {
    package init(_ error: ClientAuthenticationError) {
        switch error {
        case .colonInClientID: self = .colonInClientID
        case .signing: self = .signing
        case .endpointAlias: self = .endpointAlias
        }
    }
}
