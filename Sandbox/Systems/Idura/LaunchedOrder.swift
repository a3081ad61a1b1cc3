import Base
import HTTPWire

/// `completeUrl`, `pollUrl` and `cancelUrl` of an order with launch links.
struct LaunchedOrder: Sendable {
    static let notYet = "Native app driven authentication is not done"

    let core: ProviderCore
    let orders: OrderStore<IduraOrder>

    /// Returns the authorization response, as often as it is requested, and 400 in plain text in every other case.
    func complete(_ request: Request) -> Response {
        self.core.count(.complete)
        let now = self.core.now()
        guard let (id, order) = self.order(request, now) else { return Self.refusal("Unknown order") }
        guard case .launchLinks(_, let answersJSON) = order.way else { return Self.refusal("Unknown order") }
        if order.fault == .completeFails { return Self.refusal("Something went wrong") }
        if case .approved = order.phase, self.meets(.completesTooEarly, id) { return Self.refusal(Self.notYet) }
        switch order.phase(at: now) {
        case .outstanding, .started, .signing: return Self.refusal(Self.notYet)
        case .timedOut: return Self.refusal("Collect failed: expiredTransaction")
        case .cancelled: return Self.refusal("The order was cancelled")
        case .approved, .denied:
            guard let location = order.location else { return Self.refusal("Unknown order") }
            guard answersJSON else {
                return Response(.found, fields: [.location: location, .cacheControl: "no-store"], body: [])
            }
            return JSONResponse(.ok, ["location": .string(location)]).response
        }
    }

    /// Returns 202 until the order is decided.
    func poll(_ request: Request) -> Response {
        self.core.count(.poll)
        let now = self.core.now()
        guard let (id, order) = self.order(request, now) else { return Self.refusal("Unknown order") }
        switch order.phase(at: now) {
        case .outstanding, .started, .signing:
            return Response(.accepted, fields: [.cacheControl: "no-store"], body: [])
        case .timedOut: return Self.refusal("Collect failed: expiredTransaction")
        case .denied: return Self.refusal(order.fault == .pollErrorQuoted ? "\"access_denied\"" : "access_denied")
        case .cancelled: return Self.refusal("Collect failed: cancelled")
        case .approved:
            let complete = IduraRoute.complete.url(self.core.origin) + "?" + FormBody.encode([Parameter("order", id)])
            let target = order.fault == .pollTargetIsFinal ? order.location : complete
            return JSONResponse(.ok, ["targetUrl": .string(target ?? complete)]).response
        }
    }

    func cancel(_ request: Request) -> Response {
        self.core.count(.cancel)
        guard let (id, order) = self.order(request, self.core.now()) else { return Self.refusal("Unknown order") }
        self.orders.change(id) { $0.end(.cancelled) }
        self.core.memory.withLock { $0.requestLog.countCancellation(by: order.client.clientID) }
        return Response(.ok, fields: [.cacheControl: "no-store"], body: [])
    }

    private func order(_ request: Request, _ now: Timestamp) -> (String, Order<IduraOrder>)? {
        guard let id = Parameters(of: request)?["order"],
            let order = self.orders.order(id, at: now)
        else { return nil }
        return (id, order)
    }

    private func meets(_ fault: OrderFault, _ id: String) -> Bool {
        self.orders.change(id) { $0.takeFault(fault) } ?? false
    }

    private static func refusal(_ text: String) -> Response {
        Response(
            .badRequest, fields: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: Array(text.utf8))
    }
}
