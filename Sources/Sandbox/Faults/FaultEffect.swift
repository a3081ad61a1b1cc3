/// Where in a login a fault bites, and what it changes there.
import StrictJSON

enum FaultEffect: Sendable {
    /// Nothing is wrong: for the modules that only look whether the relying party does its part.
    case nothing
    /// What the person does, in the place of approving.
    case decision(Decision)
    case authorizationResponse(@Sendable (inout AuthorizationAnswer) -> Void)
    /// Only where the relying party asked for a signed one (JARM).
    case signedResponse(@Sendable (inout JWTDraft) -> Void)
    /// Only where the client asks how an order goes.
    case order(SandboxFault.OfOrders)
    case tokenAnswer(@Sendable (inout JSONAnswer) -> Void)
    /// A code that comes again brings tokens again, for as long as it lives. Else it is refused, and what it brought is
    /// taken back.
    case repeatableCode
    case idToken(@Sendable (inout JWTDraft) -> Void)
    case userinfo(@Sendable (inout JSONAnswer) -> Void)
    /// Only where it was agreed that it is a JWT.
    case signedUserinfo(@Sendable (inout JWTDraft) -> Void)
    /// Somebody is logged in at the provider: who does not ask for a fresh login is answered without a page.
    case session
    /// In DigiD's app, or at the resolver.
    case digid(DigiDFault)
    case launchAnswer(@Sendable (inout JSONAnswer) -> Void)
    case pushedRequest(@Sendable (inout JSONAnswer) -> Void)
    case discovery(@Sendable (inout JSON.Object) -> Void)
    case keys(@Sendable (inout [JSON]) -> Void)

    /// The heading of the menu under which it stands.
    var place: String {
        switch self {
        case .nothing: "Nothing is wrong"
        case .decision: "What the person does"
        case .authorizationResponse: "Authorization response"
        case .signedResponse: "Signed authorization response"
        case .order: "Answers to who asks how it goes"
        case .tokenAnswer, .repeatableCode: "Token endpoint"
        case .idToken: "ID token"
        case .userinfo: "Userinfo"
        case .signedUserinfo: "Signed userinfo"
        case .session: "Session"
        case .digid(let fault): fault.completion == nil ? "DigiD's app" : "Resolver"
        case .launchAnswer: "Launch links"
        case .pushedRequest: "Pushed authorization request"
        case .discovery: "Discovery"
        case .keys: "Keys"
        }
    }

    /// Whether it bites before a person can choose it: it is set by name, and stands until it is taken back.
    var standsBeforeLogins: Bool { self.flows.isEmpty }

    /// The pages on which it can be chosen.
    var flows: Set<PageFlow> {
        switch self {
        case .nothing, .tokenAnswer, .idToken, .userinfo, .signedUserinfo: Set(PageFlow.allCases)
        case .decision(.timeOut): [.launchLinks, .headless, .backchannel]
        case .decision: Set(PageFlow.allCases)
        case .authorizationResponse, .repeatableCode: [.browser, .launchLinks]
        case .signedResponse: [.browser]
        case .order(.slowDown): [.headless, .backchannel]
        case .order: [.launchLinks]
        case .digid(let fault): fault.initiation == nil ? [.appToApp] : []
        case .session, .launchAnswer, .pushedRequest, .discovery, .keys: []
        }
    }
}

/// How a login goes on after its page.
enum PageFlow: CaseIterable, Sendable {
    /// The browser carries an authorization response.
    case browser
    case launchLinks
    case headless
    case backchannel
    /// DigiD's app opens the app that asked.
    case appToApp
}
