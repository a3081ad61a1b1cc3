/// What the app holds of a login: 32 random bytes that it made itself, and from which all its rights follow.
///
/// The login's id, what is stored to recognise the secret, and the key of the outcome are made from it by HMAC; the
/// secret itself is never stored.
import Base
import Cryptography

package struct PollSecret: Sendable {
    static let byteCount = 32

    /// Its bytes as they lie in memory: thousands are held with their polls, and an array of bytes is an object of its own.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Nil unless it is the strict base64url of 32 bytes, 43 characters.
    package init?(_ text: some StringProtocol) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        guard withUnsafeMutableBytes(of: &words, { Base64URL.decode(text, into: $0) }) else { return nil }
        self.words = words
    }

    private init(_ words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// A new one, for an app that brought none.
    package static func make() -> PollSecret {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: RandomBytes.make(Self.byteCount)) }
        return PollSecret(words)
    }

    /// As it travels, once, to an app that brought none.
    package var exposedText: String { withUnsafeBytes(of: self.words) { Base64URL.encode($0) } }

    /// For whoever needs several of its codes.
    var codes: Codes { withUnsafeBytes(of: self.words) { Codes($0) } }

    package var loginID: LoginID { self.codes.loginID }

    func verifier(of id: LoginID) -> [UInt8] { self.codes.verifier(of: id) }

    func bodyVerifier(of canonical: [UInt8]) -> [UInt8] { self.codes.bodyVerifier(of: canonical) }

    func outcomeKey(of id: LoginID) -> Secret { self.codes.outcomeKey(of: id) }
}

extension PollSecret {
    /// What is made from a secret.
    struct Codes {
        private let key: HMACKey

        fileprivate init(_ secret: UnsafeRawBufferPointer) { self.key = HMACKey(ofOneBlock: secret) }

        /// The id of the login that belongs to this secret, on every machine and after every restart.
        var loginID: LoginID {
            self.key.code { $0.append("id") }.withBytes { LoginID(firstOf: $0) }
        }

        /// Stored, to recognise the secret by.
        func verifier(of id: LoginID) -> [UInt8] { self.code("poll", of: id) }

        /// Stored, to recognise a repeated create by.
        func bodyVerifier(of canonical: [UInt8]) -> [UInt8] {
            self.key.code { message in
                message.append("body")
                message.append(canonical)
            }.array()
        }

        /// The key that the outcome is sealed under. Never stored as it is.
        func outcomeKey(of id: LoginID) -> Secret { Secret(self.code("outcome", of: id)) }

        private func code(_ use: String, of id: LoginID) -> [UInt8] {
            self.key.code { message in
                message.append(use)
                message.append(id)
            }.array()
        }
    }
}

extension PollSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹secret›" }

    package var debugDescription: String { self.description }

    /// Without this, `dump` and every logger that reflects would walk into the bytes.
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
