/// Why a pushed authorization request was not taken.
extension PushedAuthorization {
    package enum Failure: Error, Equatable, Sendable {
        case refused(ProviderResponse.Refusal)
        case malformed

        package var raw: String {
            switch self {
            case .refused(let refusal): "par_\(refusal.raw)"
            case .malformed: "par_malformed"
            }
        }
    }
}
