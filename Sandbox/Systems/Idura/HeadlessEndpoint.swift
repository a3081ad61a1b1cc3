import Base
import Cryptography
import HTTPWire

/// Idura's headless authorization: the client starts Swedish BankID itself, and polls the token endpoint.
struct HeadlessEndpoint: Sendable {
    static let contextClass = "urn:grn:authn:se:bankid"

    let core: ProviderCore
    let orders: OrderStore<IduraOrder>

    func response(to request: Request) -> Response {
        self.core.count(.headless)
        do throws(OAuthRefusal) {
            return try self.start(request).response
        } catch {
            return error.answer.response
        }
    }

    private func start(_ request: Request) throws(OAuthRefusal) -> JSONResponse {
        guard let form = Parameters(of: request) else { throw .init(.invalidRequest, "the body is not a form") }
        if let name = form.repeated.first { throw .init(.invalidRequest, "\(name) is repeated") }
        let client = try ClientProof(core: self.core, endpoint: IduraRoute.headless.rawValue).client(request, form)
        self.core.memory.withLock { $0.requestLog.note(order: form.all, by: client.clientID) }
        guard form.list("scope").contains("openid") else { throw .init(.invalidRequest, "scope must contain openid") }
        guard form.list("acr_values") == [Self.contextClass] else {
            throw .init(.invalidRequest, "acr_values must be \(Self.contextClass)")
        }
        guard let address = form["end_user_ip"], IPAddress(address) != nil else {
            throw .init(.invalidRequest, "end_user_ip is missing or not an address")
        }
        return try self.start(form.list("scope"), client)
    }

    private func start(_ scope: [String], _ client: SandboxClient) throws(OAuthRefusal) -> JSONResponse {
        let (id, token) = (RandomName.make(), BankIDLinks.token())
        let now = self.core.now()
        let code = QRStart(at: now)
        let order = Order(client, IduraOrder.headless(scope: scope, code), ends: now + BankIDLinks.lifetime)
        guard self.orders.add(order, as: id, pageToken: token, at: now) else {
            throw .init(.serverError, "too many orders are open")
        }
        return JSONResponse(
            .ok,
            [
                "headless_req_id": .string(id), "expires_in": .integer(Int(BankIDLinks.lifetime.components.seconds)),
                "acr_data": ["qrData": .string(code.data(at: now)), "autoStartToken": .string(token)],
            ])
    }
}

/// The parts of an animated BankID QR code (BankID RP API v6, "QR code").
struct QRStart: Sendable {
    private let token = BankIDLinks.token()
    private let secret = Secret(RandomBytes.make(16))
    private let began: Timestamp

    init(at now: Timestamp) { self.began = now }

    /// Returns the code's text, which changes every second.
    func data(at now: Timestamp) -> String {
        let time = String(max(0, (now - self.began).components.seconds))
        let digits = Array("0123456789abcdef")
        let code = HMAC.code(Array(time.utf8), key: self.secret).flatMap {
            [digits[Int($0 >> 4)], digits[Int($0 & 15)]]
        }
        return "bankid.\(self.token).\(time).\(String(code))"
    }
}
