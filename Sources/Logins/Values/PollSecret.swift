import Base
import Cryptography

/// The secret of an app for one login: 32 random bytes that the app made itself. All rights to the login derive from
/// it.
///
/// HMAC derives from it the login's id, the value that we store to recognise the secret, and the key of the outcome.
/// The secret itself is never stored.
package struct PollSecret: Sendable {
    static let byteCount = 32

    /// The bytes as they are in memory. An array of bytes would be an object of its own, and thousands of polls hold a
    /// secret.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// Returns nil unless the text is the strict base64url of 32 bytes, 43 characters.
    package init?(_ text: some StringProtocol) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        guard withUnsafeMutableBytes(of: &words, { Base64URL.decode(text, into: $0) }) else { return nil }
        self.words = words
    }

    private init(_ words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// Returns a new secret, for an app that sent none.
    package static func make() -> PollSecret {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: RandomBytes.make(Self.byteCount)) }
        return PollSecret(words)
    }

    /// The text of the secret, which we send once to an app that sent none.
    package var exposedText: String { withUnsafeBytes(of: self.words) { Base64URL.encode($0) } }

    /// For a caller that needs several derived values.
    var codes: Codes { withUnsafeBytes(of: self.words) { Codes($0) } }

    package var loginID: LoginID { self.codes.loginID }

    func verifier(of id: LoginID) -> [UInt8] { self.codes.verifier(of: id) }

    func bodyVerifier(of canonical: [UInt8]) -> [UInt8] { self.codes.bodyVerifier(of: canonical) }

    func outcomeKey(of id: LoginID) -> Secret { self.codes.outcomeKey(of: id) }
}

extension PollSecret {
    /// The values that are derived from a secret.
    struct Codes {
        private let key: HMACKey

        fileprivate init(_ secret: UnsafeRawBufferPointer) { self.key = HMACKey(ofOneBlock: secret) }

        /// The id of the login that belongs to this secret, on every machine and after every restart.
        var loginID: LoginID {
            self.key.code { $0.append("id") }.withBytes { LoginID(firstOf: $0) }
        }

        /// Returns the value that we store to recognise the secret.
        func verifier(of id: LoginID) -> [UInt8] { self.code("poll", of: id) }

        /// Returns the value that we store to recognise a repeated create request.
        func bodyVerifier(of canonical: [UInt8]) -> [UInt8] {
            self.key.code { message in
                message.append("body")
                message.append(canonical)
            }.array()
        }

        /// Returns the key that encrypts the outcome. It is only ever stored wrapped.
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

    /// Without this, `dump` and every logger that uses reflection would print the bytes.
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
