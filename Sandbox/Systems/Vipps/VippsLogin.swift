import Base
import HTTPWire
import StrictJSON

/// How Vipps MobilePay Login differs from a plain OpenID provider, by its documentation.
struct VippsLogin: SimulatedBroker {
    private static let flows: Set<String> = ["app_to_app", "app_to_app_v2", "automatic_return_from_vipps_app"]

    let system = SandboxSystem.vipps
    let basicReading = BasicReading.raw
    let remembersUsers = true
    let faults = [
        SandboxFault(
            "error-after-second-question-mark", title: "error=unknown_error after a second question mark",
            of: [.vipps],
            .authorizationResponse {
                $0.deny(.unknownError)
                $0.isMalformed = true
            })
    ]

    func eID(for contextClasses: [String], idp: String?) -> SandboxEID { .vipps }

    func issuer(at origin: String) -> String { origin + "/" }

    func change(_ document: inout JSON.Object, at origin: String) {
        document["response_modes_supported"] = ["query"]
        document["authorization_response_iss_parameter_supported"] = nil
    }

    func written(_ answer: SandboxAuthorizationResponse) -> SandboxAuthorizationResponse {
        var answer = answer
        answer["iss"] = nil
        return answer
    }

    /// Returns the URL with the state, and with where the browser has to continue.
    func appReturnURL(_ parameters: Parameters, resume: String) -> String? {
        guard let uri = parameters["app_callback_uri"], let state = parameters["state"] else { return nil }
        return uri + "?" + FormBody.encode([Parameter("state", state), Parameter("resume_uri", resume)])
    }

    /// After its app, `resume_uri` has to be opened in the same browser. In the other two flows its app may end the
    /// login itself, in any browser.
    func bindsToBrowser(_ parameters: Parameters) -> Bool {
        parameters["requested_flow"].map { $0 == "app_to_app" } ?? true
    }

    /// Checks the parameters that only it has, or about which it is stricter.
    func problem(_ parameters: Parameters) -> String? {
        guard (parameters["state"] ?? "").utf8.count >= 8 else { return "state must have at least 8 characters" }
        guard parameters["response_mode"] ?? "query" == "query" else { return "response_mode must be query" }
        guard let flow = parameters["requested_flow"] else { return nil }
        guard Self.flows.contains(flow) else { return "requested_flow is unknown" }
        guard flow != "app_to_app" || parameters["app_callback_uri"] != nil else {
            return "app_callback_uri is missing"
        }
        return nil
    }

    /// The audience is a list, and the token names its merchant.
    func idToken(of grant: Grant) -> JSON.Object? {
        [
            "sub": .string(grant.identity.subject), "aud": [.string(grant.client.clientID)],
            "auth_time": .integer(grant.authenticatedAt.seconds), "rat": .integer(grant.authenticatedAt.seconds),
            "acr": .string(grant.contextClass), "msn": "999999", "sid": .string(RandomName.make()),
        ]
    }

    func userinfo(of grant: Grant) -> JSON.Object? {
        var claims: JSON.Object = [
            "sub": .string(grant.identity.subject), "sid": "7d78a726-af92-499e-b857-de263ef9a969",
        ]
        if grant.scope.contains("name") {
            claims["name"] = .string(grant.identity.name)
            claims["given_name"] = .string(grant.identity.givenName)
            claims["family_name"] = .string(grant.identity.familyName)
        }
        if grant.scope.contains("birthDate") { claims["birthdate"] = .string(grant.identity.birthDate) }
        if grant.scope.contains("phoneNumber") { claims["phone_number"] = "4712345678" }
        if grant.scope.contains("nin") { claims["nin"] = .string(grant.identity.nationalID) }
        return claims
    }
}
