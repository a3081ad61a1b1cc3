/// Why there is no userinfo.
extension UserInfo {
    package enum Failure: Error, Equatable, Sendable {
        /// The provider has no userinfo endpoint.
        case endpointMissing
        /// The provider names one for clients with a certificate that we do not use.
        case endpointAlias
        case status(Int)
        /// Neither JSON nor a JWT, or the one where only the other was agreed.
        case contentType
        case tooLarge
        case malformed
        /// A JWT that is not one of the provider's.
        case form(JWTForm.Broken)
        /// A JWT by somebody else, for somebody else or of another time.
        case rules(JWTRules.Broken)
        case subjectMissing
        /// It is about somebody else (Core 5.3.2): nothing of it may be used.
        case subject

        package var raw: String {
            switch self {
            case .endpointMissing: "userinfo_endpoint_missing"
            case .endpointAlias: "userinfo_endpoint_alias"
            case .status(let status): "userinfo_status_\(status)"
            case .contentType: "userinfo_content_type"
            case .tooLarge: "userinfo_too_large"
            case .malformed: "userinfo_malformed"
            case .form(let broken): "userinfo_\(broken.rawValue)"
            case .rules(let broken): "userinfo_\(broken.rawValue)"
            case .subjectMissing: "userinfo_subject_missing"
            case .subject: "userinfo_subject"
            }
        }
    }
}
