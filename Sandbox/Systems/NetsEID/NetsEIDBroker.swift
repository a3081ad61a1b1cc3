import HTTPServer
import HTTPWire
import StrictJSON

/// How Signaturgruppen's Nets eID Broker differs from a plain OpenID provider, by its documentation and its behaviour.
final class NetsEIDBroker: SimulatedBroker {
    private static let level = "https://data.gov.dk/concept/core/nsis/"

    let system = SandboxSystem.signaturgruppen
    let tellsClientOfErrors = false
    let faults = SandboxFault.ofOrders
    private let orders = OrderStore<BackchannelRequest>()

    func eID(for contextClasses: [String], idp: String?) -> SandboxEID {
        idp.map { $0.hasPrefix("mitid") } ?? true ? .mitid : .sandbox
    }

    func problem(_ parameters: Parameters) -> String? { NetsEIDParameters.problem(parameters) }

    func change(_ document: inout JSON.Object, at origin: String) {
        document["backchannel_authentication_endpoint"] = .string(NetsEIDRoute.backchannel.url(origin))
        document["backchannel_token_delivery_modes_supported"] = ["poll"]
        document["grant_types_supported"] = .array([GrantType.authorizationCode, .ciba].map { .string($0.rawValue) })
    }

    /// It promises `iss`, but leaves it out of errors.
    func written(_ answer: SandboxAuthorizationResponse) -> SandboxAuthorizationResponse {
        guard answer["error"] != nil else { return answer }
        var answer = answer
        answer["iss"] = nil
        return answer
    }

    func redeem(
        _ form: Parameters, by client: SandboxClient, accessToken: String, _ core: ProviderCore
    ) throws(TokenError) -> RedeemedGrant? {
        guard form["grant_type"] == GrantType.ciba.rawValue else { return nil }
        let poll = OrderPoll(
            core: core, orders: self.orders, client: client, parameter: "auth_req_id", enforcesInterval: true)
        return RedeemedGrant(grant: try poll.redeem(form, accessToken: accessToken))
    }

    func handle(_ request: Request, _ responder: ResponseHandle, _ core: ProviderCore) -> Bool {
        guard let route = NetsEIDRoute(path: request.target.path) else { return false }
        responder.respond(route.refusal(of: request) ?? self.response(route, request, core))
        return true
    }

    private func response(_ route: NetsEIDRoute, _ request: Request, _ core: ProviderCore) -> Response {
        let endpoint = BackchannelEndpoint(core: core, orders: self.orders)
        let browser = BackchannelBrowser(core: core, orders: self.orders)
        return switch route {
        case .backchannel: endpoint.response(to: request)
        case .startBrowser: browser.start(request)
        case .authenticate: browser.response(to: request)
        case .delete: endpoint.delete(request)
        }
    }

    /// It contains no name.
    func idToken(of grant: Grant) -> JSON.Object? {
        [
            "sub": .string(grant.identity.subject), "idp": .string(grant.idp ?? "mitid"),
            "auth_time": .integer(grant.authenticatedAt.seconds), "amr": ["code_app"],
            "acr": .string(Self.level + "Substantial"), "loa": .string(Self.level + "Substantial"),
            "aal": .string(Self.level + "High"), "ial": .string(Self.level + "Substantial"),
            "identity_type": "private", "transaction_id": .string(RandomName.make()),
            "session_expiry": .string(String(grant.authenticatedAt.seconds + 3600)), "idtoken_type": "strict",
        ]
    }

    /// Every value is a string.
    func userinfo(of grant: Grant) -> JSON.Object? {
        var claims: JSON.Object = [
            "idp": .string(grant.idp ?? "mitid"), "loa": .string(Self.level + "Substantial"),
            "session_is_active": "true",
        ]
        if grant.scope.contains("mitid") {
            claims["mitid.uuid"] = .string("uuid-of-\(grant.identity.id)")
            claims["mitid.identity_name"] = .string(grant.identity.name)
            claims["mitid.date_of_birth"] = .string(grant.identity.birthDate)
            claims["mitid.has_cpr"] = "true"
        }
        if grant.scope.contains("ssn") { claims["dk.cpr"] = .string(grant.identity.nationalID) }
        claims["sub"] = .string(grant.identity.subject)
        return claims
    }
}
