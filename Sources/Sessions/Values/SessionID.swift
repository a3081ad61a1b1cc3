import Base
import Cryptography

/// The id of a session: 16 bytes derived from the app and its DPoP key, written as 22 base64url characters.
///
/// So one key has one session: a second begin with the same key finds the first.
package struct SessionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let byteCount = 16

    package let bytes: [UInt8]

    /// SHA-256("session" ‖ app ‖ thumbprint)[0..<16]. A thumbprint always has 43 characters, so two pairs never give
    /// the same text.
    package init(app: String, thumbprint: String) {
        let hash = Digest.sha256.hash(Array("session".utf8) + Array(app.utf8) + Array(thumbprint.utf8))
        self.init(firstOf: hash)
    }

    /// Returns nil unless there are exactly 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Makes an id from the first 16 bytes of a digest.
    init(firstOf digest: [UInt8]) { self.bytes = Array(digest.prefix(Self.byteCount)) }

    /// Returns nil unless the text is the strict base64url of 16 bytes.
    package init?(_ text: String) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes)
    }

    package var text: String { Base64URL.encode(self.bytes) }

    package var description: String { self.text }

    /// The order of the bytes, which is also the order of SQLite and of PostgreSQL.
    package static func < (one: SessionID, other: SessionID) -> Bool {
        one.bytes.lexicographicallyPrecedes(other.bytes)
    }
}
