/// What a provider says about itself (Discovery 1.0, 3), checked against the issuer that we asked.
import Base
import StrictJSON

package struct ProviderMetadata: Sendable {
    package let issuer: String
    package let authorizationEndpoint: EndpointURL
    package let tokenEndpoint: EndpointURL
    package let userinfoEndpoint: EndpointURL?
    /// Where we push authorization requests (RFC 9126 §5).
    package let pushedAuthorizationRequestEndpoint: EndpointURL?
    /// Where we start a login without a browser (CIBA Core 4). Nil also when our policy refuses the URL.
    package let backchannelAuthenticationEndpoint: EndpointURL?
    /// Empty when the provider names none. A refused alias does not matter to clients without a certificate.
    package let mtlsEndpointAliases: Result<EndpointAliases, ProviderMetadataError>
    package let jwksURI: EndpointURL
    /// Nil when the provider does not say.
    package let codeChallengeMethods: [String]?
    /// `client_secret_basic` when the provider does not say (Discovery 1.0, 3).
    package let tokenEndpointAuthMethods: [String]
    /// Nil when the provider does not say.
    package let idTokenAlgorithms: [String]?
    /// Nil when the provider does not say, or does not sign userinfo. The next two are nil in the same way.
    package let userinfoAlgorithms: [String]?
    /// For authorization responses (JARM 4).
    package let authorizationAlgorithms: [String]?
    /// For request objects.
    package let requestObjectAlgorithms: [String]?
    /// Nil when the provider does not say.
    package let responseModes: [String]?
    /// Whether the provider promises `iss` in every authorization response (RFC 9207 §3).
    package let issParameterSupported: Bool
    /// Whether the provider accepts authorization requests only when they are pushed (RFC 9126 §5).
    package let requirePushedAuthorizationRequests: Bool
    /// Whether the provider accepts authorization requests only when they are signed (RFC 9101 §10.5).
    package let requireSignedRequestObject: Bool
    /// Whether the provider reads the parameter `claims` (Core 5.5). False when it does not say.
    package let claimsParameterSupported: Bool

    package init(parsing body: [UInt8], issuer: String, policy: EndpointPolicy) throws(ProviderMetadataError) {
        let expected: EndpointURL
        do throws(EndpointPolicyError) {
            expected = try policy.issuer(issuer)
        } catch {
            throw .refused(.issuer, error)
        }
        let document = try Document(parsing: body, issuer: expected, policy: policy)

        // Discovery 1.0, 4.3: must be identical, or another party's document could name our endpoints.
        guard identical(try document.text(.issuer), issuer) else { throw .issuer }
        self.issuer = issuer
        self.authorizationEndpoint = try document.endpoint(.authorizationEndpoint)
        self.tokenEndpoint = try document.endpoint(.tokenEndpoint)
        self.userinfoEndpoint = try document.optionalEndpoint(.userinfoEndpoint)
        self.pushedAuthorizationRequestEndpoint = try document.optionalEndpoint(.pushedAuthorizationRequestEndpoint)
        self.backchannelAuthenticationEndpoint =
            (try? document.optionalEndpoint(.backchannelAuthenticationEndpoint)) ?? nil
        self.mtlsEndpointAliases = Result { () throws(ProviderMetadataError) in try EndpointAliases(document) }
        self.jwksURI = try document.endpoint(.jwksURI)
        self.codeChallengeMethods = try document.list(.codeChallengeMethods)
        self.tokenEndpointAuthMethods = try document.list(.tokenEndpointAuthMethods) ?? ["client_secret_basic"]
        self.idTokenAlgorithms = try document.list(.idTokenAlgorithms)
        self.responseModes = try document.list(.responseModes)
        self.issParameterSupported = try document.flag(.issParameterSupported) ?? false
        // Only the operator's check reads these, so an error in them must not break logins.
        self.userinfoAlgorithms = try? document.list(.userinfoAlgorithms)
        self.authorizationAlgorithms = try? document.list(.authorizationAlgorithms)
        self.requestObjectAlgorithms = try? document.list(.requestObjectAlgorithms)
        self.requirePushedAuthorizationRequests = (try? document.flag(.requirePushedAuthorizationRequests)) ?? false
        self.requireSignedRequestObject = (try? document.flag(.requireSignedRequestObject)) ?? false
        // It only chooses between two ways to ask for the same claim.
        self.claimsParameterSupported = (try? document.flag(.claimsParameterSupported)) ?? false

        let responseTypes = try document.list(.responseTypes)
        guard responseTypes?.contains("code") ?? true else { throw .codeFlowUnsupported }
        // RFC 7636 §4.2: never fall back to `plain`.
        guard self.codeChallengeMethods?.contains("S256") ?? true else { throw .challengeMethodUnsupported }
    }
}

// MARK: - The document

extension ProviderMetadata {
    /// The members that we read. A dot separates an object and its member.
    package enum Member: String, CaseIterable, Sendable {
        case issuer
        case authorizationEndpoint = "authorization_endpoint"
        case tokenEndpoint = "token_endpoint"
        case userinfoEndpoint = "userinfo_endpoint"
        case pushedAuthorizationRequestEndpoint = "pushed_authorization_request_endpoint"
        case backchannelAuthenticationEndpoint = "backchannel_authentication_endpoint"
        case jwksURI = "jwks_uri"
        case mtlsEndpointAliases = "mtls_endpoint_aliases"
        case mtlsTokenEndpoint = "mtls_endpoint_aliases.token_endpoint"
        case mtlsPushedAuthorizationRequestEndpoint = "mtls_endpoint_aliases.pushed_authorization_request_endpoint"
        case mtlsUserinfoEndpoint = "mtls_endpoint_aliases.userinfo_endpoint"
        case responseTypes = "response_types_supported"
        case responseModes = "response_modes_supported"
        case codeChallengeMethods = "code_challenge_methods_supported"
        case tokenEndpointAuthMethods = "token_endpoint_auth_methods_supported"
        case idTokenAlgorithms = "id_token_signing_alg_values_supported"
        case userinfoAlgorithms = "userinfo_signing_alg_values_supported"
        case authorizationAlgorithms = "authorization_signing_alg_values_supported"
        case requestObjectAlgorithms = "request_object_signing_alg_values_supported"
        case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
        case requireSignedRequestObject = "require_signed_request_object"
        case claimsParameterSupported = "claims_parameter_supported"
        case issParameterSupported = "authorization_response_iss_parameter_supported"
    }

    /// Reads the members of a discovery document by their types.
    struct Document {
        private let members: JSON.Object
        private let issuer: EndpointURL
        private let policy: EndpointPolicy

        init(parsing body: [UInt8], issuer: EndpointURL, policy: EndpointPolicy) throws(ProviderMetadataError) {
            let limits = JSON.Limits(byteCount: ProviderResponse.sizeLimit)
            guard let json = try? JSON(parsing: body, limits: limits), let members = json.object else {
                throw .notAnObject
            }
            self.members = members
            self.issuer = issuer
            self.policy = policy
        }

        private func value(_ member: Member) -> JSON? {
            member.rawValue.split(separator: ".").reduce(.object(self.members)) { $0?[String($1)] }
        }

        func text(_ member: Member) throws(ProviderMetadataError) -> String {
            guard let value = self.value(member) else { throw .missing(member) }
            guard let text = value.string else { throw .wrongType(member) }
            return text
        }

        func endpoint(_ member: Member) throws(ProviderMetadataError) -> EndpointURL {
            let text = try self.text(member)
            do throws(EndpointPolicyError) {
                return try self.policy.endpoint(text, of: self.issuer)
            } catch {
                throw .refused(member, error)
            }
        }

        func optionalEndpoint(_ member: Member) throws(ProviderMetadataError) -> EndpointURL? {
            self.value(member) == nil ? nil : try self.endpoint(member)
        }

        func list(_ member: Member) throws(ProviderMetadataError) -> [String]? {
            guard let value = self.value(member) else { return nil }
            guard let elements = value.array else { throw .wrongType(member) }
            let texts = elements.compactMap(\.string)
            guard texts.count == elements.count else { throw .wrongType(member) }
            return texts
        }

        func flag(_ member: Member) throws(ProviderMetadataError) -> Bool? {
            guard let value = self.value(member) else { return nil }
            guard let flag = value.bool else { throw .wrongType(member) }
            return flag
        }

        /// The member must be absent or an object.
        func checkObject(_ member: Member) throws(ProviderMetadataError) {
            guard self.value(member).map({ $0.object != nil }) ?? true else { throw .wrongType(member) }
        }
    }
}

/// The endpoints for clients with a certificate (RFC 8705 §5), as far as the provider names them.
package struct EndpointAliases: Sendable {
    package let token: EndpointURL?
    package let pushedAuthorizationRequest: EndpointURL?
    package let userinfo: EndpointURL?

    init(_ document: ProviderMetadata.Document) throws(ProviderMetadataError) {
        try document.checkObject(.mtlsEndpointAliases)
        self.token = try document.optionalEndpoint(.mtlsTokenEndpoint)
        self.pushedAuthorizationRequest = try document.optionalEndpoint(.mtlsPushedAuthorizationRequestEndpoint)
        self.userinfo = try document.optionalEndpoint(.mtlsUserinfoEndpoint)
    }
}
