/// The client asks the token endpoint whether an order has been decided (Idura headless; CIBA Core §10.1.1).
import Base
import StrictJSON

struct OrderPoll: Sendable {
    private static let ciba = "urn:openid:params:grant-type:ciba"
    /// Clocks and networks are not exact: a poll that comes so much too early is in time.
    private static let leeway = Duration.milliseconds(100)

    let core: ProviderCore
    let client: SandboxClient
    /// The parameter that names the order.
    private let parameter: String

    /// Nil for a grant that is no poll, for this system and client.
    init?(_ core: ProviderCore, _ client: SandboxClient, grantType: String) {
        switch core.system {
        case .idura where grantType == client.headlessGrantType: self.parameter = "headless_req_id"
        case .signaturgruppen where grantType == Self.ciba: self.parameter = "auth_req_id"
        default: return nil
        }
        self.core = core
        self.client = client
    }

    /// Once.
    func redeemed(_ form: Parameters, accessToken: String) throws(TokenRefusal) -> Redemption.Result {
        guard let id = form[self.parameter] else { throw .init(.invalidRequest, "\(self.parameter) is missing") }
        let now = self.core.now()
        return try self.core.memory.withLock { memory throws(TokenRefusal) in
            guard let order = memory.orders.order(id, at: now), order.client.clientID == self.client.clientID,
                !order.isSpent
            else { throw .init(.invalidGrant, "no such \(self.parameter)") }
            memory.orders.change(id) { $0.polledAt = now }
            var slowsDown = false
            memory.orders.change(id) { slowsDown = $0.meets(.slowDown) }
            guard !slowsDown, !self.isTooFast(order, now) else { throw .init(.slowDown, "ask less often") }
            let grant = try self.grant(order, now)
            guard memory.access.insert(Access(code: id, grant: grant), for: accessToken, at: now) else {
                throw .init(.serverError, "too many tokens")
            }
            memory.orders.change(id) { $0.isSpent = true }
            return Redemption.Result(grant: grant, code: nil)
        }
    }

    /// Idura says nothing of an interval that is enforced.
    private func isTooFast(_ order: Order, _ now: Timestamp) -> Bool {
        guard case .backchannel = order.way, let last = order.polledAt else { return false }
        return now + Self.leeway < last + self.core.pollInterval
    }

    private func grant(_ order: Order, _ now: Timestamp) throws(TokenRefusal) -> Grant {
        let phase = order.phase(at: now)
        switch phase {
        case .approved(let grant?): return grant
        case .approved(nil): throw .init(.invalidGrant, "its code is elsewhere")
        case .outstanding, .started, .signing:
            throw .init(.authorizationPending, "nobody has decided", Self.more(order, phase, now))
        case .denied, .cancelled: throw .init(.accessDenied, "the person said no")
        case .timedOut: throw .init(.expiredToken, "nobody decided in time")
        }
    }

    /// BankID tells how far the person is, and the QR code moves on.
    private static func more(_ order: Order, _ phase: Order.Phase, _ now: Timestamp) -> JSON.Object {
        guard case .headless(_, let code) = order.way else { return [:] }
        let hint =
            switch phase {
            case .outstanding: "outstandingTransaction"
            case .started: "started"
            case .signing, .approved, .denied, .timedOut, .cancelled: "userSign"
            }
        return ["acr_data": ["qrData": .string(code.data(at: now)), "hintCode": .string(hint)]]
    }
}
