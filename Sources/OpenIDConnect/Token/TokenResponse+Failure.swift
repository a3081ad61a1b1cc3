/// Why a token endpoint's answer brought no tokens.
extension TokenResponse {
    package enum Failure: Error, Equatable, Sendable {
        case refused(ProviderResponse.Refusal)
        case malformed
        case idTokenMissing
        /// Not `Bearer`.
        case tokenType

        package var raw: String {
            switch self {
            case .refused(let refusal): "token_\(refusal.raw)"
            case .malformed: "token_malformed"
            case .idTokenMissing: "token_id_token_missing"
            case .tokenType: "token_type"
            }
        }
    }
}
