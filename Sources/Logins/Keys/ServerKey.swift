import Base
import Cryptography

/// A server key: 32 random bytes from a file. We only use keys derived from it, one for each purpose.
///
/// It is a class because every login in memory refers to one.
package final class ServerKey: Sendable {
    package static let byteCount = 32

    /// Identifies the key in a row. It is derived too, so it reveals nothing about the key.
    let id: [UInt8]
    let wrap: HMACKey
    let seal: HMACKey
    let mac: HMACKey
    let state: HMACKey
    let go: HMACKey
    let page: HMACKey
    let code: HMACKey
    let inFlight: Secret
    /// Encrypts the notes of the flight recorder.
    let note: Secret

    /// Returns nil unless there are exactly 32 bytes.
    package init?(_ secret: Secret) {
        guard secret.count == Self.byteCount else { return nil }
        func derive(_ use: String, _ count: Int = 32) -> Secret {
            HKDF.derive(count, from: secret, info: Array("switchback/1/\(use)".utf8))
        }
        self.id = derive("id", SealedRow.keyIDByteCount).exposed
        self.wrap = HMACKey(derive("wrap"))
        self.seal = HMACKey(derive("seal"))
        self.mac = HMACKey(derive("mac"))
        self.state = HMACKey(derive("state"))
        self.go = HMACKey(derive("go"))
        self.page = HMACKey(derive("page"))
        self.code = HMACKey(derive("code"))
        self.inFlight = derive("flight")
        self.note = derive("note")
    }

    /// Returns a new random key, for a sandbox or a test.
    package static func make() -> ServerKey {
        guard let key = ServerKey(Secret(RandomBytes.make(Self.byteCount))) else {
            preconditionFailure("32 bytes were made")
        }
        return key
    }

    /// Wraps or unwraps the outcome's key, which a row stores until there is an outcome: `K xor HMAC(G_wrap, id)`. The
    /// function is its own inverse.
    func wrapped(_ key: [UInt8], of id: LoginID) -> [UInt8] {
        var wrapped = key
        self.wrap.code { $0.append(id) }.withBytes { code in
            wrapped.withUnsafeMutableBytes { for index in 0..<min($0.count, code.count) { $0[index] ^= code[index] } }
        }
        return wrapped
    }

    /// Returns an HMAC by which we recognise a code, an error or a proof without storing it.
    func trace(of kind: String, _ value: [UInt8], id: LoginID) -> [UInt8] {
        self.code.code { message in
            message.append(id)
            message.append(kind)
            message.append([0])
            message.append(value)
        }.array()
    }
}
