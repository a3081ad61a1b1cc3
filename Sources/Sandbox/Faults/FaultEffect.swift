/// Where in a login a fault bites, and what it changes there.
import JOSE

enum FaultEffect: Sendable {
    /// Nothing is wrong: for the modules that only look whether the relying party does its part.
    case nothing
    case authorizationResponse(@Sendable (inout AuthorizationAnswer) -> Void)
    /// Only where the relying party asked for a signed one (JARM).
    case signedResponse(@Sendable (inout JWTDraft) -> Void)
    case tokenAnswer(@Sendable (inout JSONAnswer) -> Void)
    case idToken(@Sendable (inout JWTDraft) -> Void)
    case userinfo(@Sendable (inout JSONAnswer) -> Void)
    /// Only where it was agreed that it is a JWT.
    case signedUserinfo(@Sendable (inout JWTDraft) -> Void)
    case pushedRequest(@Sendable (inout JSONAnswer) -> Void)
    case discovery(@Sendable (inout JSON.Object) -> Void)
    case keys(@Sendable (inout [JSON]) -> Void)

    /// The heading of the menu under which it stands.
    var place: String {
        switch self {
        case .nothing: "Nothing is wrong"
        case .authorizationResponse: "Authorization response"
        case .signedResponse: "Signed authorization response"
        case .tokenAnswer: "Token endpoint"
        case .idToken: "ID token"
        case .userinfo: "Userinfo"
        case .signedUserinfo: "Signed userinfo"
        case .pushedRequest: "Pushed authorization request"
        case .discovery: "Discovery"
        case .keys: "Keys"
        }
    }

    /// Whether it bites before a person can choose it: it is set by name, and stands until it is taken back.
    var standsBeforeLogins: Bool {
        switch self {
        case .pushedRequest, .discovery, .keys: true
        case .nothing, .authorizationResponse, .signedResponse, .tokenAnswer, .idToken, .userinfo, .signedUserinfo:
            false
        }
    }
}
