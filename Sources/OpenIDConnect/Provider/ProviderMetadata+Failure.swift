/// Why a discovery document is not used.
extension ProviderMetadata {
    /// The members that are read; a dot stands before one of an object within the document.
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
        case issParameterSupported = "authorization_response_iss_parameter_supported"
    }

    package enum Failure: Error, Equatable, Sendable {
        case notAnObject
        /// It names another issuer than the one that was asked.
        case issuer
        case missing(Member)
        case wrongType(Member)
        case refused(Member, EndpointPolicy.Refusal)
        case codeFlowUnsupported
        case challengeMethodUnsupported

        package var raw: String {
            switch self {
            case .notAnObject: "discovery_not_an_object"
            case .issuer: "discovery_issuer_mismatch"
            case .missing(let member): "discovery_missing_\(member.rawValue)"
            case .wrongType(let member): "discovery_wrong_type_\(member.rawValue)"
            case .refused(let member, let refusal): "discovery_refused_\(member.rawValue)_\(refusal.rawValue)"
            case .codeFlowUnsupported: "discovery_code_flow_unsupported"
            case .challengeMethodUnsupported: "discovery_s256_unsupported"
            }
        }
    }
}
