/// The backchannel authentication endpoint of Nets eID Broker (CIBA Core §7), and its way to take an order back.
import Base
import HTTPWire

struct BackchannelEndpoint: Sendable {
    private static let lifetime = Duration.seconds(300)

    let core: ProviderCore

    func response(to request: Request) -> Response {
        self.core.count(.backchannel)
        do throws(TokenRefusal) {
            return try self.started(request).response
        } catch {
            return error.answer.response
        }
    }

    private func started(_ request: Request) throws(TokenRefusal) -> JSONAnswer {
        guard let form = Parameters(of: request) else { throw .init(.invalidRequest, "the body is no form") }
        if let name = form.repeated.first { throw .init(.invalidRequest, "\(name) comes twice") }
        let client = try ClientProof(core: self.core, endpoint: OrderRoute.backchannel.rawValue).client(request, form)
        self.core.memory.withLock { $0.ledger.note(order: form.all, by: client.clientID) }
        let ask = try BackchannelAsk(form)
        let id = ProviderCore.unguessable()
        let now = self.core.now()
        let order = Order(client, .backchannel(ask), ends: now + Self.lifetime)
        guard self.core.memory.withLock({ $0.orders.add(order, as: id, at: now) }) else {
            throw .init(.serverError, "too many orders are open")
        }
        return JSONAnswer(
            .ok,
            [
                "auth_req_id": .string(id), "expires_in": .integer(Int(Self.lifetime.components.seconds)),
                "interval": .integer(Int(self.core.pollInterval.components.seconds)),
            ])
    }

    /// The id is proof enough.
    func deletion(_ request: Request) -> Response {
        self.core.count(.delete)
        let id = String(request.target.path.dropFirst(OrderRoute.delete.rawValue.count))
        let now = self.core.now()
        let isKnown = self.core.memory.withLock { memory in
            guard let order = memory.orders.order(id, at: now) else { return false }
            memory.orders.change(id) { $0.end(.cancelled) }
            memory.ledger.countCancellation(by: order.client.clientID)
            return true
        }
        guard isKnown else { return JSONAnswer.error("invalid_request", status: .notFound).response }
        return Response(.noContent, fields: [.cacheControl: "no-store"], body: [])
    }
}
