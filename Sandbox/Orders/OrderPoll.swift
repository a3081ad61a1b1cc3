import Base
import StrictJSON

/// A client's poll at the token endpoint whether an order is decided (Idura headless; CIBA Core §10.1.1).
struct OrderPoll<Way: Sendable>: Sendable {
    /// Clocks and networks are not exact, so a poll may come this much too early.
    private static var leeway: Duration { .milliseconds(100) }

    let core: ProviderCore
    let orders: OrderStore<Way>
    let client: SandboxClient
    /// The parameter that names the order.
    let parameter: String
    /// Whether a client that polls too often gets `slow_down`.
    let enforcesInterval: Bool
    /// Returns additional members of the error while the order is not decided.
    var progress: @Sendable (Way, OrderPhase) -> JSON.Object = { _, _ in [:] }

    /// Returns the grant, once.
    func redeem(_ form: Parameters, accessToken: String) throws(OAuthRefusal) -> Grant {
        guard let id = form[self.parameter] else { throw .init(.invalidRequest, "\(self.parameter) is missing") }
        let unknown = OAuthRefusal(.invalidGrant, "no such \(self.parameter)")
        let now = self.core.now()
        guard self.orders.order(id, at: now) != nil else { throw unknown }
        let grant = try self.orders.change(id) { order throws(OAuthRefusal) in
            guard order.client.clientID == self.client.clientID, !order.isSpent else { throw unknown }
            let isTooFast = self.isTooFast(order, now)
            order.polledAt = now
            guard !order.takeFault(.slowDown), !isTooFast else { throw .init(.slowDown, "poll less often") }
            let grant = try self.grant(order, now)
            let access = Access(code: id, grant: grant)
            guard self.core.memory.withLock({ $0.access.insert(access, for: accessToken, at: now) }) else {
                throw .init(.serverError, "too many tokens")
            }
            order.isSpent = true
            return grant
        }
        guard let grant else { throw unknown }
        return grant
    }

    private func isTooFast(_ order: Order<Way>, _ now: Timestamp) -> Bool {
        guard self.enforcesInterval, let last = order.polledAt else { return false }
        return now + Self.leeway < last + self.core.pollInterval
    }

    private func grant(_ order: Order<Way>, _ now: Timestamp) throws(OAuthRefusal) -> Grant {
        let phase = order.phase(at: now)
        switch phase {
        case .approved(let grant?): return grant
        case .approved(nil): throw .init(.invalidGrant, "the authorization response has its code")
        case .outstanding, .started, .signing:
            throw .init(.authorizationPending, "the user has not decided", self.progress(order.way, phase))
        case .denied, .cancelled: throw .init(.accessDenied, "the user declined")
        case .timedOut: throw .init(.expiredToken, "the user did not decide in time")
        }
    }
}
