/// The name of a login: 16 bytes made from its poll secret, written as 22 base64url characters.
import Base
import Cryptography

package struct LoginID: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 16

    /// The bytes as two numbers, the first byte the highest: ids are in tables and rows by the million, and an array of
    /// bytes is an object of its own.
    private let high: UInt64
    private let low: UInt64

    package var bytes: [UInt8] { self.withBytes { Array($0) } }

    /// The same without an array.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: (self.high.bigEndian, self.low.bigEndian), body)
    }

    /// As good as any number made of them all, since the bytes come from a hash.
    package var firstTwoBytes: UInt16 { UInt16(truncatingIfNeeded: self.high >> 48) }

    /// Nil unless there are exactly 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self = bytes.withUnsafeBytes { Self(firstOf: $0) }
    }

    /// Of the first 16 bytes, which must be there.
    init(firstOf bytes: UnsafeRawBufferPointer) {
        self.high = UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))
        self.low = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }

    /// Nil unless it is the strict base64url of 16 bytes.
    package init?(_ text: some StringProtocol) {
        let id = withUnsafeTemporaryAllocation(byteCount: Self.byteCount, alignment: 8) { bytes in
            Base64URL.decode(text, into: bytes) ? Self(firstOf: UnsafeRawBufferPointer(bytes)) : nil
        }
        guard let id else { return nil }
        self = id
    }

    /// Of the half: nobody can make two ids of which it is the same, since they come from a hash.
    package func hash(into hasher: inout Hasher) { hasher.combine(self.low) }

    package var description: String { self.withBytes { Base64URL.encode($0) } }

    /// Eight letters that a person can read out, `K7QX-2M4P`: the same on the page, in the app and in the log.
    ///
    /// It is made from the id by a hash and proves nothing.
    package var reference: String {
        // No I, L, O, U, 0, 1: nobody should have to ask which one was meant.
        let letters: StaticString = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
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
}

extension HMACMessage {
    /// A login's id in what a code is made of.
    mutating func append(_ id: LoginID) { id.withBytes { self.append($0) } }
}
