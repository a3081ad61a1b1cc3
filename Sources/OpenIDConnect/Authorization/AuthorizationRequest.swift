/// What we ask a provider through the browser: an authorization code for an ID token (Core 3.1.2.1), with PKCE.
import Base
import StrictJSON

package struct AuthorizationRequest: Sendable {
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
        self.wantedClaims = claims
        self.prompt = prompt
        self.acrValues = acrValues
        self.uiLocales = uiLocales
        self.additional = additional
    }

    /// The request in the client's style.
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
        // RFC 9126 §3: besides a request object stands only what says whose it is.
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

    /// What stands outside of a request object too (RFC 9101 §5; Core 6.1 for `response_type` and `scope`). Some
    /// providers look for `redirect_uri` before they open the object.
    private func visitOuter(_ scope: String, _ visit: (String, String) -> Void) {
        visit("client_id", self.client.clientID)
        visit("response_type", "code")
        visit("scope", scope)
        visit("redirect_uri", self.client.redirectURI)
    }

    /// All of them, each once: see `checkAdditional`. One by one, because to make an array takes longer than to use it.
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
        if !self.uiLocales.isEmpty { visit("ui_locales", Self.spaced(self.uiLocales)) }
        if let claims = self.wantedClaims {
            visit("claims", String(decoding: JSON.object(claims).encoded(), as: UTF8.self))
        }
        for parameter in self.additional { visit(parameter.name, parameter.value) }
    }

    /// Most lists have one, which need not be made anew.
    private static func spaced(_ texts: [String]) -> String {
        texts.count == 1 ? texts[0] : texts.joined(separator: " ")
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
    private func checkAdditional() throws(AuthorizationRequestError) {
        var taken = Self.decided
        for parameter in self.additional {
            guard !parameter.name.isEmpty, taken.insert(parameter.name).inserted else { throw .parameterNotAllowed }
        }
    }
}

/// An additional parameter may name a person (`login_hint`).
extension AuthorizationRequest: Unprinted {}

/// So does the URL, which says our `state` besides.
extension AuthorizationRequest.Authorization: Unprinted {}

/// Why an authorization request cannot be made.
package enum AuthorizationRequestError: String, Error, CaseIterable, Sendable {
    /// Without the scope `openid` there would be no ID token.
    case openIDScopeMissing
    /// An additional parameter that is one of ours, or is there twice.
    case parameterNotAllowed
    /// A signed style without a signer, or a key that cannot sign.
    case signing
    /// The provider takes no pushed requests.
    case pushEndpointMissing
    /// See `ClientAuthenticationError`.
    case colonInClientID
    case endpointAlias
}

extension AuthorizationRequestError {
    init(_ error: ClientAuthenticationError) {
        switch error {
        case .colonInClientID: self = .colonInClientID
        case .signing: self = .signing
        case .endpointAlias: self = .endpointAlias
        }
    }
}
