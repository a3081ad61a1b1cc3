/// The name of a login: 16 bytes made from its poll secret, written as 22 base64url characters.
import JOSE

package struct LoginID: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 16

    /// The bytes as two numbers, the first byte the highest: ids are in tables and rows by the million, and an array of
    /// bytes is an object of its own.
    private let high: UInt64
    private let low: UInt64

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (self.high.bigEndian, self.low.bigEndian)) { Array($0) }
    }

    /// As good as any number made of them all, since the bytes come from a hash.
    package var firstTwoBytes: UInt16 { UInt16(truncatingIfNeeded: self.high >> 48) }

    /// Nil unless there are exactly 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
        self.low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Nil unless it is the strict base64url of 16 bytes.
    package init?(_ text: some StringProtocol) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(text) else { return nil }
        self.init(bytes)
    }

    package var description: String { Base64URL.encode(self.bytes) }

    /// Eight letters that a person can read out, `K7QX-2M4P`: the same on the page, in the app and in the log.
    ///
    /// It is made from the id by a hash and proves nothing.
    package var reference: String {
        // No I, L, O, U, 0, 1: nobody should have to ask which one was meant.
        let letters = Array("ABCDEFGHJKMNPQRSTVWXYZ23456789".utf8)
        let hash = Digest.sha256.hash(Array("reference".utf8) + self.bytes)
        var text = hash.prefix(8).map { letters[Int($0) % letters.count] }
        text.insert(UInt8(ascii: "-"), at: 4)
        return String(decoding: text, as: UTF8.self)
    }
}
