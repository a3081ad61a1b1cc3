/// Why we do not use a discovery document.
package enum ProviderMetadataError: Error, Equatable, Sendable {
    case notAnObject
    /// It names another issuer than the one that we asked.
    case issuer
    case missing(ProviderMetadata.Member)
    case wrongType(ProviderMetadata.Member)
    case refused(ProviderMetadata.Member, EndpointPolicyError)
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
