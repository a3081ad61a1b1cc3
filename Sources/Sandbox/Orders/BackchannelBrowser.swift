/// The browser's part of CIBA with a browser: where it starts, the page, and where it ends.
import Base
import HTTPWire
import StrictJSON

struct BackchannelBrowser: Sendable {
    private static let lifetime = 600

    let core: ProviderCore

    /// From the client, which names the order by its id: the page for it.
    func start(_ request: Request) -> Response {
        self.core.count(.startBrowser)
        let now = self.core.now()
        guard let type = request.fields[.contentType].flatMap({ MediaType($0) }), type.isJSON,
            let body = try? JSON(parsing: request.body), let id = body["requestId"]?.string,
            let order = self.core.memory.withLock({ $0.orders.order(id, at: now) }), order.phase(at: now).isOpen,
            case .backchannel(var ask) = order.way
        else { return JSONAnswer.error("invalid_request", "requestId is nobody's").response }
        ask.redirectURI = body["redirectUri"]?.string
        ask.state = body["state"]?.string
        if let uri = ask.redirectURI, !order.client.redirectURIs.contains(uri) {
            return JSONAnswer.error("invalid_request", "redirectUri was not registered").response
        }
        let reference = "urn:ietf:params:oauth:request_uri:" + ProviderCore.unguessable()
        let way = Order.Way.backchannel(ask)
        let isOpen = self.core.memory.withLock { memory in
            memory.orders.change(id) { $0.way = way }
            return memory.orders.open(reference, to: id, at: now)
        }
        guard isOpen else { return JSONAnswer.internalServerError.response }
        let page = OrderRoute.authenticate.url(self.core.origin) + "?" + FormBody.encode([("request_uri", reference)])
        return JSONAnswer(
            .ok,
            [
                "request_uri": .string(reference), "expires_in": .integer(Self.lifetime),
                "authentication_uri": .string(page),
            ]
        ).response
    }

    /// The page, and its form.
    func response(to request: Request) -> Response {
        self.core.count(.authenticate)
        let now = self.core.now()
        guard let parameters = Parameters(of: request), let reference = parameters["request_uri"],
            let (id, order) = self.order(reference, now), case .backchannel(let ask) = order.way
        else { return ErrorPage(code: "invalid_request_uri", description: "This page is nobody's.").response }
        guard order.phase(at: now).isOpen else {
            return ErrorPage(code: "invalid_request_uri", description: "This login was decided, or is too old.")
                .response
        }
        if request.method == .post { return self.decided(id, order, ask, parameters) }
        if self.core.hasSession(for: order.client), ask.prompt.isEmpty, let person = SandboxIdentity.all.first {
            self.approve(id, order, ask, person, nil, authenticatedAt: now - Grant.sessionAge)
            return self.end(ask)
        }
        self.core.memory.withLock { memory in memory.orders.change(id) { $0.start() } }
        return BackchannelPage(
            client: order.client, ask: ask, reference: reference,
            menu: FaultMenu(system: self.core.system, flow: .backchannel)
        ).response
    }

    private func order(_ reference: String, _ now: Timestamp) -> (String, Order)? {
        self.core.memory.withLock { memory in
            guard let id = memory.orders.id(behind: reference, at: now), let order = memory.orders.order(id, at: now)
            else { return nil }
            return (id, order)
        }
    }

    private func decided(_ id: String, _ order: Order, _ ask: BackchannelAsk, _ form: Parameters) -> Response {
        guard let choice = Choice(form, among: [.approve, .cancel, .timeOut]) else {
            return ErrorPage(code: "invalid_request", description: "This form is not one of ours.").response
        }
        let (decision, fault) = choice.settled(for: order.client, self.core)
        switch decision {
        case .approve, .sign:
            self.approve(id, order, ask, choice.person, fault, authenticatedAt: self.core.now())
            return self.end(ask)
        case .cancel:
            self.core.memory.withLock { memory in memory.orders.change(id) { $0.end(.denied, fault: fault) } }
            return self.end(ask, error: "access_denied", "mitid_user_aborted")
        case .timeOut:
            self.core.memory.withLock { memory in memory.orders.change(id) { $0.end(.timedOut) } }
            return self.end(ask, error: "access_denied", "mitid_timeout")
        case .silence: return LastPage.silence.response
        }
    }

    private func approve(
        _ id: String, _ order: Order, _ ask: BackchannelAsk, _ person: SandboxIdentity, _ fault: SandboxFault?,
        authenticatedAt: Timestamp
    ) {
        let grant = Grant(
            client: order.client, binding: nil, nonce: ask.nonce, scope: ask.scope, requested: RequestedClaims(),
            idp: ask.idp, contextClass: "", identity: person, authenticatedAt: authenticatedAt, fault: fault)
        self.core.memory.withLock { memory in memory.orders.change(id) { $0.end(.approved(grant), fault: fault) } }
    }

    /// At the client's address, or here.
    private func end(_ ask: BackchannelAsk, error: String? = nil, _ description: String? = nil) -> Response {
        guard let uri = ask.redirectURI else {
            return LastPage(title: "Done", text: "Go back to the app in which you wanted to log in.").response
        }
        let parameters = [("error", error), ("error_description", description), ("state", ask.state)]
        let query = FormBody.encode(parameters.compactMap { name, value in value.map { (name, $0) } })
        return Response(
            .seeOther,
            fields: [
                .location: query.isEmpty ? uri : uri + (uri.contains("?") ? "&" : "?") + query,
                .cacheControl: "no-store", .referrerPolicy: "no-referrer",
            ], body: [])
    }
}
