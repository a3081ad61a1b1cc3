import Base
import HTTPWire
import StrictJSON

/// The browser's part of CIBA with a browser: where it starts, the page, and where it ends.
struct BackchannelBrowser: Sendable {
    private static let lifetime = 600

    let core: ProviderCore
    let orders: OrderStore<BackchannelRequest>

    /// Returns the page for an order, which the client names by its id.
    func start(_ request: Request) -> Response {
        self.core.count(.startBrowser)
        let now = self.core.now()
        guard let type = request.fields[.contentType].flatMap({ MediaType($0) }), type.isJSON,
            let body = try? JSON(parsing: request.body), let id = body["requestId"]?.string,
            let order = self.orders.order(id, at: now), order.phase(at: now).isOpen
        else { return JSONResponse.error(.invalidRequest, "requestId is unknown").response }
        var authRequest = order.way
        authRequest.redirectURI = body["redirectUri"]?.string
        authRequest.state = body["state"]?.string
        if let uri = authRequest.redirectURI, !order.client.redirectURIs.contains(uri) {
            return JSONResponse.error(.invalidRequest, "redirectUri is not registered").response
        }
        let reference = "urn:ietf:params:oauth:request_uri:" + RandomName.make()
        self.orders.change(id) { $0.way = authRequest }
        guard self.orders.open(reference, to: id, at: now) else { return JSONResponse.internalServerError.response }
        let page =
            NetsEIDRoute.authenticate.url(self.core.origin) + "?"
            + FormBody.encode([Parameter("request_uri", reference)])
        return JSONResponse(
            .ok,
            [
                "request_uri": .string(reference), "expires_in": .integer(Self.lifetime),
                "authentication_uri": .string(page),
            ]
        ).response
    }

    /// Responds with the page, or handles its form.
    func response(to request: Request) -> Response {
        self.core.count(.authenticate)
        let now = self.core.now()
        guard let parameters = Parameters(of: request), let reference = parameters["request_uri"],
            let (id, order) = self.orders.order(behind: reference, at: now)
        else { return ErrorPage(code: "invalid_request_uri", description: "This page is unknown.").response }
        guard order.phase(at: now).isOpen else {
            return ErrorPage(code: "invalid_request_uri", description: "This login was decided or has expired.")
                .response
        }
        if request.method == .post { return self.decide(id, order, parameters) }
        if self.core.hasSession(for: order.client, state: order.way.state), order.way.prompt.isEmpty,
            let person = self.eID(order).users.first
        {
            self.approve(id, order, person, nil, authenticatedAt: now - Grant.sessionAge)
            return self.end(order.way)
        }
        self.orders.change(id) { $0.start() }
        return BackchannelPage(
            client: order.client, authRequest: order.way, reference: reference,
            menu: self.core.menu(.backchannel), eID: self.eID(order)
        ).response
    }

    private func eID(_ order: Order<BackchannelRequest>) -> SandboxEID {
        self.core.broker.eID(for: [], idp: order.way.idp)
    }

    private func decide(_ id: String, _ order: Order<BackchannelRequest>, _ form: Parameters) -> Response {
        guard let choice = self.core.choice(form, at: self.eID(order), among: [.approve, .cancel, .timeOut]) else {
            return ErrorPage(code: "invalid_request", description: "This form is not from the sandbox.").response
        }
        let (decision, fault) = self.core.settle(choice, for: order.client, state: order.way.state)
        switch decision {
        case .approve, .sign:
            self.approve(id, order, choice.person, fault, authenticatedAt: self.core.now())
            return self.end(order.way)
        case .cancel:
            self.orders.change(id) { $0.end(.denied, fault: fault) }
            return self.end(order.way, error: .accessDenied, "mitid_user_aborted")
        case .timeOut:
            self.orders.change(id) { $0.end(.timedOut) }
            return self.end(order.way, error: .accessDenied, "mitid_timeout")
        case .silence: return FinalPage.silence.response
        }
    }

    private func approve(
        _ id: String, _ order: Order<BackchannelRequest>, _ person: SandboxIdentity, _ fault: SandboxFault?,
        authenticatedAt: Timestamp
    ) {
        let authRequest = order.way
        let grant = Grant(
            client: order.client, binding: nil, nonce: authRequest.nonce, scope: authRequest.scope,
            requested: RequestedClaims(),
            idp: authRequest.idp, contextClass: "", identity: person, authenticatedAt: authenticatedAt, fault: fault)
        self.orders.change(id) { $0.end(.approved(grant), fault: fault) }
    }

    /// Ends the login at the client's address, or here if there is none.
    private func end(_ authRequest: BackchannelRequest, error: OAuthErrorCode? = nil, _ description: String? = nil)
        -> Response
    {
        guard let uri = authRequest.redirectURI else {
            return FinalPage(title: "Done", text: "Go back to the app that you want to log in to.").response
        }
        let parameters = [("error", error?.rawValue), ("error_description", description), ("state", authRequest.state)]
        let query = FormBody.encode(parameters.compactMap { name, value in value.map { Parameter(name, $0) } })
        return Response(
            .seeOther,
            fields: [
                .location: query.isEmpty ? uri : uri + (uri.contains("?") ? "&" : "?") + query,
                .cacheControl: "no-store", .referrerPolicy: "no-referrer",
            ], body: [])
    }
}
