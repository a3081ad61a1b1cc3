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
    ) throws(OAuthRefusal) -> RedeemedGrant? {
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

/// The paths that only Nets eID Broker has: CIBA with a browser.
enum NetsEIDRoute: String, CaseIterable, ServedRoute {
    case backchannel = "/connect/ciba"
    case startBrowser = "/api/ciba/broker-oidc/init-auth"
    case authenticate = "/ciba/authenticate"
    /// An `auth_req_id` follows.
    case delete = "/api/v1/ciba/"

    init?(path: String) {
        guard let route = Self(rawValue: path) ?? (path.hasPrefix(Self.delete.rawValue) ? .delete : nil) else {
            return nil
        }
        self = route
    }

    var methods: [Method] {
        switch self {
        case .backchannel, .startBrowser: [.post]
        case .authenticate: [.get, .post]
        case .delete: [.delete]
        }
    }
}

/// The parameters that only Nets eID Broker has.
enum NetsEIDParameters {
    private static let idps: Set<String> = [
        "mitid", "mitid_erhverv", "mobilepay", "eboks", "soloid", "passkeyid", "euid", "euav",
    ]

    /// Returns what is wrong with the parameters that only it has. Only the user is told.
    static func problem(_ parameters: Parameters) -> String? {
        if let other = parameters.list("idp_values").first(where: { !self.idps.contains($0) }) {
            return "idp_values: \(other) is unknown"
        }
        guard let text = parameters["idp_params"] else { return nil }
        guard let members = (try? JSON(parsing: Array(text.utf8)))?.object else {
            return "idp_params is not a JSON object"
        }
        guard let mitID = members["mitid"]?.object, mitID["enable_app_switch"]?.bool == true else { return nil }
        guard let system = mitID["app_switch_os"]?.string, ["ios", "android"].contains(system),
            mitID["app_switch_url"]?.string.map(self.isLink) == true
        else { return "idp_params: enable_app_switch requires app_switch_os and app_switch_url" }
        return nil
    }

    /// On a single machine, the app's links are plain http.
    private static func isLink(_ url: String) -> Bool {
        url.hasPrefix("https://") || url.hasPrefix("http://localhost:")
    }
}
