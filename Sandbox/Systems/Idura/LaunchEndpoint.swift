import Base
import HTTPWire
import StrictJSON

/// Idura's launch links: for Swedish BankID on the same device, the authorization endpoint returns JSON (documented
/// until September 2025, and still used by Idura's own script for web pages).
///
/// A user who has a session may be redirected at once instead, unless `prompt=login` forbids it.
struct LaunchEndpoint: Sendable {
    private static let contextClass = "urn:grn:authn:se:bankid:same-device"

    let core: ProviderCore
    let orders: OrderStore<IduraOrder>

    /// Returns whether this request gets launch links, and not a page.
    static func areAskedFor(_ parameters: Parameters) -> Bool {
        parameters.list("acr_values") == [self.contextClass] && self.platform(parameters) != nil
            && ["json", "query"].contains(parameters["response_mode"] ?? "query")
    }

    /// Returns `ios` or `android`; nil if the request names neither.
    private static func platform(_ parameters: Parameters) -> String? {
        let hints = parameters.list("login_hint")
        return ["ios", "android"].first { hints.contains("appswitch:\($0)") }
    }

    func response(_ parameters: Parameters, for client: SandboxClient) throws(OAuthRefusal) -> Response {
        let isJSON = parameters["response_mode"] == "json"
        // The response is built like a query, whatever delivers it.
        let plain = Parameters(parameters.all.filter { $0.name != "response_mode" })
        let authRequest = try SandboxAuthorizationRequest(plain, for: client)
        if let response = self.core.passedBySession(authRequest) { return response }
        let (id, token) = (RandomName.make(), BankIDLinks.token())
        let now = self.core.now()
        let order = Order(
            client, IduraOrder.launchLinks(authRequest, answersJSON: isJSON), ends: now + BankIDLinks.lifetime)
        guard self.orders.add(order, as: id, pageToken: token, at: now) else {
            throw .init(.temporarilyUnavailable, "too many orders are open", to: authRequest.address)
        }
        var answer = self.answer(
            id, BankIDLinks.links(token, redirect: Self.redirect(authRequest), origin: self.core.origin))
        if !client.hasPollURL { answer.members["pollUrl"] = nil }
        let fault = self.core.fault(for: client, state: authRequest.address.state)
        fault?.effect.brokerFault(LaunchFault.self)?.change(&answer)
        return answer.response
    }

    private func answer(_ id: String, _ links: JSON) -> JSONResponse {
        func url(_ route: IduraRoute) -> JSON {
            .string(route.url(self.core.origin) + "?" + FormBody.encode([Parameter("order", id)]))
        }
        return JSONResponse(
            .ok,
            ["launchLinks": links, "cancelUrl": url(.cancel), "completeUrl": url(.complete), "pollUrl": url(.poll)])
    }

    /// Android's BankID just closes; on iOS it has to be told where to go.
    private static func redirect(_ authRequest: SandboxAuthorizationRequest) -> String? {
        guard self.platform(authRequest.parameters) == "ios" else { return nil }
        return authRequest.appSwitchURL ?? authRequest.address.redirectURI
    }
}
