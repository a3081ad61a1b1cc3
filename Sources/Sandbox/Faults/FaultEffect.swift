/// Where in a login a fault bites, and what it changes there.
import JOSE

enum FaultEffect: Sendable {
    case authorizationResponse(@Sendable (inout AuthorizationAnswer) -> Void)
    case tokenAnswer(@Sendable (inout JSONAnswer) -> Void)
    case idToken(@Sendable (inout IDTokenDraft) -> Void)
    case userinfo(@Sendable (inout JSONAnswer) -> Void)
    case discovery(@Sendable (inout JSON.Object) -> Void)

    /// The heading of the menu under which it stands.
    var place: String {
        switch self {
        case .authorizationResponse: "Authorization response"
        case .tokenAnswer: "Token endpoint"
        case .idToken: "ID token"
        case .userinfo: "Userinfo"
        case .discovery: "Discovery"
        }
    }
}

/// One line of the menu.
struct FaultMeaning: Sendable {
    let title: String
    let effect: FaultEffect

    init(_ title: String, _ effect: FaultEffect) {
        self.title = title
        self.effect = effect
    }
}
