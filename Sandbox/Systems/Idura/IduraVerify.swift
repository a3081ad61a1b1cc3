import Base
import HTTPServer
import HTTPWire
import StrictJSON

/// How Idura (Criipto) Verify differs from a plain OpenID provider, by its documentation.
final class IduraVerify: SimulatedBroker {
    private static let acrs: Set<String> = [
        "dk:mitid:low", "dk:mitid:substantial", "dk:mitid:high", "dk:mitid:business", "se:bankid",
        "se:bankid:same-device", "se:bankid:another-device:qr", "se:frejaid", "no:bankid", "no:bankid:substantial",
        "no:bankid:high", "no:vipps", "fi:bank-id", "fi:mobile-id", "fi:all", "nl:idin", "de:personalausweis",
    ]

    let system = SandboxSystem.idura
    let basicReading = BasicReading.formEncoded
    let faults = SandboxFault.ofOrders + SandboxFault.ofIdura
    private let orders = OrderStore<IduraOrder>()

    func eID(for contextClasses: [String], idp: String?) -> SandboxEID {
        let pages: [(prefix: String, eID: SandboxEID)] = [
            ("dk:mitid", .mitid), ("se:bankid", .swedishBankID), ("no:bankid", .norwegianBankID),
            ("no:vipps", .vipps),
        ]
        let name = contextClasses.first.map { $0.hasPrefix("urn:grn:authn:") ? String($0.dropFirst(14)) : $0 }
        return pages.first { name?.hasPrefix($0.prefix) == true }?.eID ?? .sandbox
    }

    /// After the e-ID's app, the login continues in its tab.
    func bindsToBrowser(_ parameters: Parameters) -> Bool { true }

    func problem(_ parameters: Parameters) -> String? {
        let names = parameters.list("acr_values").map { $0.hasPrefix("urn:grn:authn:") ? String($0.dropFirst(14)) : $0 }
        if let other = names.first(where: { !Self.acrs.contains($0) }) { return "acr_values: \(other) is unknown" }
        let switches = parameters.list("login_hint").contains { $0 == "appswitch:ios" || $0 == "appswitch:android" }
        guard switches, !LaunchEndpoint.areAskedFor(parameters), let name = names.first else { return nil }
        // Norwegian BankID fails, and Swedish BankID returns JSON, for which the other parameters are wrong here.
        return name.hasPrefix("dk:mitid") || name == "se:frejaid" ? nil : "login_hint: no app switch for \(name)"
    }

    /// Launch links get JSON instead of the page.
    func response(
        to parameters: Parameters, of client: SandboxClient, _ core: ProviderCore
    ) throws(OAuthRefusal) -> Response? {
        guard LaunchEndpoint.areAskedFor(parameters) else { return nil }
        return try LaunchEndpoint(core: core, orders: self.orders).response(parameters, for: client)
    }

    /// A headless login. The documentation gives the lifetime as a string.
    func redeem(
        _ form: Parameters, by client: SandboxClient, accessToken: String, _ core: ProviderCore
    ) throws(OAuthRefusal) -> RedeemedGrant? {
        guard form["grant_type"] == client.headlessGrantType else { return nil }
        let now = core.now()
        // The documentation mentions no interval that is enforced.
        let poll = OrderPoll(
            core: core, orders: self.orders, client: client, parameter: "headless_req_id", enforcesInterval: false,
            progress: { Self.progress($0, $1, now) })
        return RedeemedGrant(grant: try poll.redeem(form, accessToken: accessToken), expiresIn: "300")
    }

    /// Returns BankID's progress of the user, and the current QR code.
    private static func progress(_ order: IduraOrder, _ phase: OrderPhase, _ now: Timestamp) -> JSON.Object {
        guard case .headless(_, let code) = order else { return [:] }
        let hint =
            switch phase {
            case .outstanding: "outstandingTransaction"
            case .started: "started"
            case .signing, .approved, .denied, .timedOut, .cancelled: "userSign"
            }
        return ["acr_data": ["qrData": .string(code.data(at: now)), "hintCode": .string(hint)]]
    }

    func handle(_ request: Request, _ responder: ResponseHandle, _ core: ProviderCore) -> Bool {
        guard let route = IduraRoute(rawValue: request.target.path) else { return false }
        responder.respond(route.refusal(of: request) ?? self.response(route, request, core))
        return true
    }

    private func response(_ route: IduraRoute, _ request: Request, _ core: ProviderCore) -> Response {
        let launchedOrder = LaunchedOrder(core: core, orders: self.orders)
        return switch route {
        case .headless: HeadlessEndpoint(core: core, orders: self.orders).response(to: request)
        case .complete: launchedOrder.complete(request)
        case .poll: launchedOrder.poll(request)
        case .cancel: launchedOrder.cancel(request)
        case .bankIDApp: BankIDApp(core: core, orders: self.orders).response(to: request)
        }
    }

    /// It has `authenticationtype` instead of `acr`, and the subject in braces.
    func idToken(of grant: Grant) -> JSON.Object? {
        let isSwedish = grant.contextClass.hasPrefix("urn:grn:authn:se:bankid")
        var claims: JSON.Object = [
            "sub": .string("{\(grant.identity.subject)}"), "identityscheme": isSwedish ? "sebankid" : "dkmitid",
            "authenticationtype": .string(grant.contextClass), "auth_time": .integer(grant.authenticatedAt.seconds),
            "cprNumberIdentifier": .string(grant.identity.nationalID), "ipaddress": "192.0.2.1",
        ]
        if isSwedish { claims["ssn"] = .string(grant.identity.nationalID) }
        for claim in grant.identity.claims(for: ["profile"], and: []) { claims[claim.name] = claim.value }
        return claims
    }

    func userinfo(of grant: Grant) -> JSON.Object? { self.idToken(of: grant) }
}

/// The paths that only Idura has: launch links, headless logins, and the app that both open.
enum IduraRoute: String, CaseIterable, ServedRoute {
    case headless = "/headless/authorize"
    case complete = "/bankid/complete"
    case poll = "/bankid/poll"
    case cancel = "/bankid/cancel"
    /// Plays BankID's app.
    case bankIDApp = "/bankid/"

    var methods: [Method] {
        switch self {
        case .headless: [.post]
        case .complete, .poll, .cancel: [.get]
        case .bankIDApp: [.get, .post]
        }
    }
}

/// What the client requested from Idura with an order, and so how the order ends.
enum IduraOrder: Sendable {
    /// Ends in an authorization response, as JSON or as a redirect.
    case launchLinks(SandboxAuthorizationRequest, answersJSON: Bool)
    /// Ends at the token endpoint.
    case headless(scope: [String], QRStart)

    /// Nil for a headless login, which has none.
    var state: String? {
        switch self {
        case .launchLinks(let authRequest, _): authRequest.address.state
        case .headless: nil
        }
    }
}
