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
    case pushedRequest(@Sendable (inout JSONResponse) -> Void)
    case discovery(@Sendable (inout JSON.Object) -> Void)
    case keys(@Sendable (inout [JSON]) -> Void)
    case ofBroker(any BrokerFault)

    /// The heading of the fault in the menu.
    var place: String {
        switch self {
        case .nothing: "Nothing is wrong"
        case .decision: "The user's decision"
        case .authorizationResponse: "Authorization response"
        case .signedResponse: "Signed authorization response"
        case .tokenAnswer, .repeatableCode: "Token endpoint"
        case .idToken: "ID token"
        case .userinfo: "Userinfo"
        case .signedUserinfo: "Signed userinfo"
        case .session: "Session"
        case .pushedRequest: "Pushed authorization request (MitID, and BankID in a browser)"
        case .discovery: "Discovery"
        case .keys: "Keys"
        case .ofBroker(let fault): fault.place
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
        case .ofBroker(let fault): fault.scope
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
        case .ofBroker(let fault): fault.flows
        case .session, .pushedRequest, .discovery, .keys: []
        }
    }

    /// What the user's approval becomes; nil if it stays one.
    var decision: Decision? {
        switch self {
        case .decision(let decision): decision
        case .ofBroker(let fault): fault.decision
        default: nil
        }
    }

    /// Returns the fault in what only one broker has, if it is of this type.
    func brokerFault<Fault: BrokerFault>(_ type: Fault.Type) -> Fault? {
        if case .ofBroker(let fault) = self { fault as? Fault } else { nil }
    }
}

/// A fault in what not every broker has, such as an app or an endpoint of its own. Its type stands in that broker's
/// folder.
protocol BrokerFault: Sendable {
    /// The heading of the fault in the menu.
    var place: String { get }

    /// The pages that offer it; none if it takes effect before a user can choose it.
    var flows: Set<PageFlow> { get }

    /// Whom it concerns, if it stands before logins and is set.
    var scope: FaultScope { get }

    /// What the user's approval becomes; nil if it stays one.
    var decision: Decision? { get }
}

extension BrokerFault {
    var scope: FaultScope { .login }
    var decision: Decision? { nil }
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

/// What the user does on a page.
enum Decision: String, Sendable {
    case approve
    case cancel
    /// The user does not decide in time.
    case timeOut = "time-out"
    /// The user is typing the code. Only BankID's app reports that.
    case sign
    /// The user approves, but the relying party is never told.
    case silence
}
