import Base

/// The `state` of an authorization request. It names the login and the attempt, and only we can make one.
///
///     base64url(login id 16 ‖ random 16 ‖ HMAC(G_state, id ‖ random ‖ broker)[0..<16])
///
/// So `state` alone leads from a callback to its login, and we reject a forged one before we ask the store.
struct StateToken: Equatable, Sendable {
    let login: LoginID
    /// The random part, which is the id of the attempt.
    let attempt: [UInt8]

    func text(for broker: String, under key: ServerKey) -> String {
        let body = self.login.bytes + self.attempt
        return Base64URL.encode(body + Self.code(body, broker, key))
    }

    init(login: LoginID, attempt: [UInt8]) {
        self.login = login
        self.attempt = attempt
    }

    /// Returns nil if we did not make the state for this broker.
    init?(_ text: String, from broker: String, keys: ServerKeys) {
        guard text.utf8.count == 64, let bytes = Base64URL.decode(text), bytes.count == 48 else { return nil }
        let body = Array(bytes.prefix(32))
        let code = Array(bytes.suffix(16))
        guard keys.all.contains(where: { equalInConstantTime(Self.code(body, broker, $0), code) }),
            let login = LoginID(Array(body.prefix(16)))
        else { return nil }
        self.init(login: login, attempt: Array(body.suffix(16)))
    }

    private static func code(_ body: [UInt8], _ broker: String, _ key: ServerKey) -> [UInt8] {
        key.state.code { message in
            message.append(body)
            message.append(broker)
        }.array(16)
    }
}
