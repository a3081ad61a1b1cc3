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
        let outer = self.outer
        let all = self.parameters(after: outer)
        guard self.client.requestStyle.isSigned else {
            guard self.client.requestStyle.isPushed else {
                return .url(Self.append(all, to: metadata.authorizationEndpoint))
            }
            return .push(try self.push(all, metadata, now))
        }
        let object = try self.requestObject(all, for: metadata.issuer, now: now)
        guard self.client.requestStyle.isPushed else {
            return .url(Self.append(outer, object: object, to: metadata.authorizationEndpoint))
        }
        // RFC 9126 §3: besides a request object stands only what says whose it is.
        let request: Parameter = ("request", String(decoding: object, as: UTF8.self))
        return .push(try self.push([self.clientID, request], metadata, now))
    }

    /// The query that the endpoint already has is kept (RFC 6749 §3.1).
    static func append(_ parameters: [Parameter], object: [UInt8]? = nil, to endpoint: EndpointURL) -> String {
        var url: [UInt8] = []
        // Room for a request object, which need not be moved then.
        url.reserveCapacity(2048)
        url += endpoint.text.utf8
        switch endpoint.query {
        case nil: url.append(UInt8(ascii: "?"))
        case ""?: break
        case _?: url.append(UInt8(ascii: "&"))
        }
        FormEncoding.write(parameters, .escaped, into: &url)
        if let object {
            // A signed object has only letters, digits, `-`, `_` and dots (RFC 7515 §7.1), which stand as they are.
            url += "&request=".utf8
            url += object
        }
        return String(decoding: url, as: UTF8.self)
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
    private func parameters(after outer: [Parameter]) -> [Parameter] {
        var all = outer
        all.reserveCapacity(16)
        all.append(("state", self.challenge.state))
        all.append(("nonce", self.challenge.nonce))
        all.append(("code_challenge", self.challenge.codeChallenge))
        all.append(("code_challenge_method", "S256"))
        let mode = self.client.responseMode
        if mode != .query { all.append(("response_mode", mode.rawValue)) }
        all += self.options
        all += self.additional
        return all
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
