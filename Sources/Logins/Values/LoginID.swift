import Base
import Cryptography

/// The id of a login: 16 bytes derived from its poll secret, written as 22 base64url characters.
package struct LoginID: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 16

    /// The bytes as two big-endian numbers. An array of bytes would be an object of its own, and there are millions of
    /// ids in tables and rows.
    private let high: UInt64
    let low: UInt64

    package var bytes: [UInt8] { self.withBytes { Array($0) } }

    /// Calls `body` with the bytes, without an array.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (self.high.bigEndian, self.low.bigEndian), body)
    }

    /// Where tables put the id: SipHash with a key of this process. The bytes of an id come from a hash too, but callers
    /// choose the secrets behind them, and try as many as they like until the bytes suit them.
    package var tableHash: UInt64 { UInt64(truncatingIfNeeded: Int64(self.hashValue)) }

    /// Returns nil unless there are exactly 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self = bytes.withUnsafeBytes { Self(firstOf: $0) }
    }

    /// Makes an id from the first 16 bytes. There must be as many.
    init(firstOf bytes: UnsafeRawBufferPointer) {
        self.high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        self.low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Returns nil unless the text is the strict base64url of 16 bytes.
    package init?(_ text: some StringProtocol) {
        let id = withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { bytes in
            Base64URL.decode(text, into: bytes) ? Self(firstOf: UnsafeRawBufferPointer(bytes)) : nil
        }
        guard let id else { return nil }
        self = id
    }

    /// Hashes half of the id. Because ids come from a hash, a caller needs 2³² tries to find two with the same half, and
    /// 2⁴³ to find three.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.low) }

    package var description: String { self.withBytes { Base64URL.encode($0) } }

    /// Eight letters and digits that a user can read out, such as `K7QX-2M4P`: the same on the page, in the app and in
    /// the log.
    ///
    /// It is derived from the id by a hash and proves nothing.
    package var reference: String {
        let letters = Self.referenceLetters
        var message: [UInt8] = []
        message.reserveCapacity(32)
        message += "reference".utf8
        self.withBytes { message.append(contentsOf: $0) }
        let hash = Digest.sha256.hash(message)
        return String(unsafeUninitializedCapacity: 9) { text in
            for (index, byte) in hash.prefix(8).enumerated() {
                let letter = letters.utf8Start[Int(byte) % letters.utf8CodeUnitCount]
                text.initializeElement(at: index < 4 ? index : index + 1, to: letter)
            }
            text.initializeElement(at: 4, to: UInt8(ascii: "-"))
            return 9
        }
    }

    // No I, L, O, U, 0 or 1, so that no character is mistaken for another.
    private static let referenceLetters: StaticString = "ABCDEFGHJKMNPQRSTVWXYZ23456789"

    /// Returns the reference that somebody has written down: case, spaces and dashes do not matter. Nil if it is none.
    package static func reference(spelled text: String) -> String? {
        let letters = text.uppercased().filter { $0 != " " && $0 != "-" }
        let allowedBytes = self.referenceLetters.withUTF8Buffer { Set($0) }
        guard letters.utf8.count == 8, letters.utf8.allSatisfy(allowedBytes.contains) else { return nil }
        return "\(letters.prefix(4))-\(letters.suffix(4))"
    }
}

extension HMACMessage {
    /// Appends a login's id to the message.
    mutating func append(_ id: LoginID) { id.withBytes { self.append($0) } }
}
