/// What the app holds of a login: 32 random bytes that it made itself, and from which all its rights follow.
///
/// The login's id, what is stored to recognise the secret, and the key of the outcome are made from it by HMAC; the
/// secret itself is never stored.
import JOSE

package struct PollSecret: Sendable {
    private let secret: Secret

    /// Nil unless it is the strict base64url of 32 bytes, 43 characters.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 43, let bytes = Base64URL.decode(text), bytes.count == 32 else { return nil }
        self.secret = Secret(bytes)
    }

    private init(_ bytes: [UInt8]) { self.secret = Secret(bytes) }

    /// A new one, for an app that brought none.
    package static func make() -> PollSecret { PollSecret(RandomBytes.make(32)) }

    /// As it travels, once, to an app that brought none.
    package var exposedText: String { Base64URL.encode(self.secret.exposed) }

    /// The id of the login that belongs to this secret, on every machine and after every restart.
    package var loginID: LoginID {
        guard let id = LoginID(Array(self.code("id").prefix(LoginID.byteCount))) else {
            preconditionFailure("a SHA-256 code has more than 16 bytes")
        }
        return id
    }

    /// Stored, to recognise the secret by.
    func verifier(of id: LoginID) -> [UInt8] { self.code("poll", id.bytes) }

    /// Stored, to recognise a repeated create by.
    func bodyVerifier(of canonical: [UInt8]) -> [UInt8] { self.code("body", canonical) }

    /// The key that the outcome is sealed under. Never stored as it is.
    func outcomeKey(of id: LoginID) -> Secret { Secret(self.code("outcome", id.bytes)) }

    private func code(_ use: String, _ message: [UInt8] = []) -> [UInt8] {
        HMAC.code(Array(use.utf8) + message, key: self.secret)
    }
}
