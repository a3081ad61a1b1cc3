import Base
import StrictJSON

/// What a provider says about itself (Discovery 1.0, 3), checked against the issuer that we asked.
package struct ProviderMetadata: Sendable {
    package let issuer: String
    package let authorizationEndpoint: EndpointURL
    package let tokenEndpoint: EndpointURL
    package let userinfoEndpoint: NamedEndpoint
    /// Where we push authorization requests (RFC 9126 §5).
    package let pushedAuthorizationRequestEndpoint: NamedEndpoint
    /// Where we start a login without a browser (CIBA Core 4). Nil also when our policy refuses the URL.
    package let backchannelAuthenticationEndpoint: EndpointURL?
    /// For clients with a certificate.
    package let mtlsEndpointAliases: EndpointAliases
    package let jwksURI: EndpointURL
    /// Nil when the provider does not say.
    package let codeChallengeMethods: [String]?
    /// Nil when the provider does not say.
    package let idTokenAlgorithms: [String]?
    /// Nil when the provider does not say, or does not sign userinfo. The next two are nil in the same way.
    package let userinfoAlgorithms: [String]?
    /// For authorization responses (JARM 4).
    package let authorizationAlgorithms: [String]?
    /// For request objects.
    package let requestObjectAlgorithms: [String]?
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
        self.userinfoEndpoint = document.namedEndpoint(.userinfoEndpoint)
        self.pushedAuthorizationRequestEndpoint = document.namedEndpoint(.pushedAuthorizationRequestEndpoint)
        self.backchannelAuthenticationEndpoint =
            (try? document.namedEndpoint(.backchannelAuthenticationEndpoint).get()) ?? nil
        self.mtlsEndpointAliases = EndpointAliases(document)
        self.jwksURI = try document.endpoint(.jwksURI)
        self.codeChallengeMethods = try document.list(.codeChallengeMethods)
        self.issParameterSupported = try document.flag(.issParameterSupported) ?? false
        // Only the operator's check reads these, so an error in them must not break logins.
        self.idTokenAlgorithms = try? document.list(.idTokenAlgorithms)
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

extension ProviderMetadata {
    /// Whether the provider names a userinfo endpoint, right or wrong.
    package var hasUserInfo: Bool {
        if case .success(nil) = self.userinfoEndpoint { return false }
        return true
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
        case codeChallengeMethods = "code_challenge_methods_supported"
        case idTokenAlgorithms = "id_token_signing_alg_values_supported"
        case userinfoAlgorithms = "userinfo_signing_alg_values_supported"
        case authorizationAlgorithms = "authorization_signing_alg_values_supported"
        case requestObjectAlgorithms = "request_object_signing_alg_values_supported"
        case requirePushedAuthorizationRequests = "require_pushed_authorization_requests"
        case requireSignedRequestObject = "require_signed_request_object"
        case claimsParameterSupported = "claims_parameter_supported"
        case issParameterSupported = "authorization_response_iss_parameter_supported"
    }

    /// Reads the members of a discovery document by their types. `null` counts as absent, and so does an optional
    /// endpoint that is an empty text, which some providers write for a feature that is switched off.
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
            let names = member.rawValue.split(separator: ".")
            let value = names.reduce(JSON?.some(.object(self.members))) { $0?[String($1)] }
            return value?.isNull ?? true ? nil : value
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

        func namedEndpoint(_ member: Member) -> NamedEndpoint {
            guard let value = self.value(member), value != "" else { return .success(nil) }
            do throws(ProviderMetadataError) {
                return .success(try self.endpoint(member))
            } catch {
                return .failure(error)
            }
        }

        func list(_ member: Member) throws(ProviderMetadataError) -> [String]? {
            guard let value = self.value(member) else { return nil }
            guard let elements = value.array else { throw .wrongType(member) }
            let present = elements.filter { !$0.isNull }
            let texts = present.compactMap(\.string)
            guard texts.count == present.count else { throw .wrongType(member) }
            return texts
        }

        func flag(_ member: Member) throws(ProviderMetadataError) -> Bool? {
            guard let value = self.value(member) else { return nil }
            guard let flag = value.bool else { throw .wrongType(member) }
            return flag
        }

        func isAbsentOrObject(_ member: Member) -> Bool { self.value(member).map { $0.object != nil } ?? true }
    }
}

/// An endpoint that a provider need not have; nil when the document names none. It is judged when it is used: a refused
/// URL of a feature that is not configured must not stop logins.
package typealias NamedEndpoint = Result<EndpointURL?, ProviderMetadataError>

/// The endpoints for clients with a certificate (RFC 8705 §5), as far as the provider names them.
package struct EndpointAliases: Sendable {
    package let token: NamedEndpoint
    package let pushedAuthorizationRequest: NamedEndpoint
    package let userinfo: NamedEndpoint

    init(_ document: ProviderMetadata.Document) {
        let isReadable = document.isAbsentOrObject(.mtlsEndpointAliases)
        func alias(_ member: ProviderMetadata.Member) -> NamedEndpoint {
            isReadable ? document.namedEndpoint(member) : .failure(.wrongType(.mtlsEndpointAliases))
        }
        self.token = alias(.mtlsTokenEndpoint)
        self.pushedAuthorizationRequest = alias(.mtlsPushedAuthorizationRequestEndpoint)
        self.userinfo = alias(.mtlsUserinfoEndpoint)
    }

    /// The first alias that is refused, if one is.
    package var failure: ProviderMetadataError? {
        for alias in [self.token, self.pushedAuthorizationRequest, self.userinfo] {
            if case .failure(let failure) = alias { return failure }
        }
        return nil
    }
}
