/// A server key: 32 random bytes from a file, used only through keys derived from it, one for each use.
import JOSE

package struct ServerKey: Sendable {
    package static let byteCount = 32

    /// Names the key in a row. It is derived too, and tells nothing of it.
    let id: [UInt8]
    let wrap: Secret
    let seal: Secret
    let mac: Secret
    let state: Secret
    let go: Secret
    let page: Secret
    let code: Secret
    let flight: Secret

    /// Nil unless there are exactly 32 bytes.
    package init?(_ secret: Secret) {
        guard secret.count == Self.byteCount else { return nil }
        func derive(_ use: String, _ count: Int = 32) -> Secret {
            HKDF.derive(count, from: secret, info: Array("switchback/1/\(use)".utf8))
        }
        self.id = derive("id", 8).exposed
        self.wrap = derive("wrap")
        self.seal = derive("seal")
        self.mac = derive("mac")
        self.state = derive("state")
        self.go = derive("go")
        self.page = derive("page")
        self.code = derive("code")
        self.flight = derive("flight")
    }

    /// A new one, for a sandbox or a test.
    package static func make() -> ServerKey {
        guard let key = ServerKey(Secret(RandomBytes.make(Self.byteCount))) else {
            preconditionFailure("32 bytes were made")
        }
        return key
    }

    /// How the outcome's key is kept until there is an outcome: `K xor HMAC(G_wrap, id)`, which is its own inverse.
    func wrapped(_ key: [UInt8], of id: LoginID) -> [UInt8] {
        zip(key, HMAC.code(id.bytes, key: self.wrap)).map { $0 ^ $1 }
    }

    /// Recognises a code, an error or a proof without keeping it.
    func trace(of kind: String, _ value: [UInt8], id: LoginID) -> [UInt8] {
        HMAC.code(id.bytes + Array(kind.utf8) + [0] + value, key: self.code)
    }
}
