import StrictJSON

/// Where in a login a fault takes effect, and what it changes there.
enum FaultEffect: Sendable {
    /// Nothing is wrong, for the modules that only check whether the relying party does its part.
    case nothing
    /// What the user does instead of approving.
    case decision(Decision)
    case authorizationResponse(@Sendable (inout SandboxAuthorizationResponse) -> Void)
    /// Only if the relying party requested a signed response (JARM).
    case signedResponse(@Sendable (inout JWTDraft) -> Void)
    /// Only if the client polls an order.
    case order(SandboxFault.OfOrders)
    case tokenAnswer(@Sendable (inout JSONResponse) -> Void)
    /// A code that is used again returns tokens again, for as long as it lives. Otherwise it is refused, and its tokens
    /// are revoked.
    case repeatableCode
    case idToken(@Sendable (inout JWTDraft) -> Void)
    case userinfo(@Sendable (inout JSONResponse) -> Void)
    /// Only if a JWT was agreed.
    case signedUserinfo(@Sendable (inout JWTDraft) -> Void)
    /// The user has a session at the provider. A request that does not demand a fresh login gets a response without a
    /// page.
    case session
    /// In DigiD's app, or at the resolver.
    case digid(DigiDFault)
    case launchAnswer(@Sendable (inout JSONResponse) -> Void)
    case pushedRequest(@Sendable (inout JSONResponse) -> Void)
    case discovery(@Sendable (inout JSON.Object) -> Void)
    case keys(@Sendable (inout [JSON]) -> Void)

    /// The heading of the fault in the menu.
    var place: String {
        switch self {
        case .nothing: "Nothing is wrong"
        case .decision: "The user's decision"
        case .authorizationResponse: "Authorization response"
        case .signedResponse: "Signed authorization response"
        case .order: "Polling"
        case .tokenAnswer, .repeatableCode: "Token endpoint"
        case .idToken: "ID token"
        case .userinfo: "Userinfo"
        case .signedUserinfo: "Signed userinfo"
        case .session: "Session"
        case .digid(let fault): fault.completion == nil && fault.initiation == nil ? "DigiD's app" : "Resolver"
        case .launchAnswer: "Launch links (BankID’s app)"
        case .pushedRequest: "Pushed authorization request (MitID, and BankID in a browser)"
        case .discovery: "Discovery"
        case .keys: "Keys"
        }
    }

    /// What each fault of this kind needs.
    var need: FaultNeed? {
        switch self {
        case .signedResponse: .signedResponse
        case .signedUserinfo: .signedUserinfo
        default: nil
        }
    }

    /// Whether it takes effect before a user can choose it. It is set by name, and stays until it is reset.
    var standsBeforeLogins: Bool { self.flows.isEmpty }

    /// Whom it concerns, if it stands before logins and is set.
    var scope: FaultScope {
        switch self {
        case .discovery, .keys: .broker
        case .launchAnswer, .digid: .create
        default: .login
        }
    }

    /// The pages that offer it.
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

/// Whom a fault concerns that is set before a login has a page.
package enum FaultScope: Sendable {
    /// All logins at the broker, until it is reset.
    case broker
    /// The login whose create calls the broker.
    case create
    /// The login with the id for which it is set.
    case login
}

/// How a login continues after its page.
enum PageFlow: CaseIterable, Sendable {
    /// The browser carries an authorization response.
    case browser
    case launchLinks
    case headless
    case backchannel
    /// DigiD's app opens the app that opened it.
    case appToApp
}
