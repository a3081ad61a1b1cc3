import Base
import HTTPWire

/// The backchannel authentication endpoint of Nets eID Broker (CIBA Core §7), and its endpoint to cancel an order.
struct BackchannelEndpoint: Sendable {
    private static let lifetime = Duration.seconds(300)

    let core: ProviderCore
    let orders: OrderStore<BackchannelRequest>

    func response(to request: Request) -> Response {
        self.core.count(.backchannel)
        do throws(OAuthRefusal) {
            return try self.start(request).response
        } catch {
            return error.answer.response
        }
    }

    private func start(_ request: Request) throws(OAuthRefusal) -> JSONResponse {
        guard let form = Parameters(of: request) else { throw .init(.invalidRequest, "the body is not a form") }
        if let name = form.repeated.first { throw .init(.invalidRequest, "\(name) is repeated") }
        let client = try ClientProof(core: self.core, endpoint: NetsEIDRoute.backchannel.rawValue).client(request, form)
        self.core.memory.withLock { $0.requestLog.note(order: form.all, by: client.clientID) }
        let authRequest = try BackchannelRequest(form)
        let id = RandomName.make()
        let now = self.core.now()
        let order = Order(client, authRequest, ends: now + Self.lifetime)
        guard self.orders.add(order, as: id, at: now) else {
            throw .init(.serverError, "too many orders are open")
        }
        return JSONResponse(
            .ok,
            [
                "auth_req_id": .string(id), "expires_in": .integer(Int(Self.lifetime.components.seconds)),
                "interval": .integer(Int(self.core.pollInterval.components.seconds)),
            ])
    }

    /// Cancels an order. Knowing its id is proof enough.
    func delete(_ request: Request) -> Response {
        self.core.count(.delete)
        let id = String(request.target.path.dropFirst(NetsEIDRoute.delete.rawValue.count))
        let now = self.core.now()
        guard let order = self.orders.order(id, at: now) else {
            return JSONResponse.error(.invalidRequest, status: .notFound).response
        }
        self.orders.change(id) { $0.end(.cancelled) }
        self.core.memory.withLock { $0.requestLog.countCancellation(by: order.client.clientID) }
        return Response(.noContent, fields: [.cacheControl: "no-store"], body: [])
    }
}
