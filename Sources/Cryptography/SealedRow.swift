import Base

/// The bytes of a row that a store keeps, in the form that the rows of logins and of sessions share:
///
///     key id 8 ‖ fields ‖ MAC 32
///
/// The key id comes first, in the clear, because it selects the key. The MAC covers the place of the row (what the
/// store keeps beside these bytes) and the fields. The key of the MAC is derived for one kind of rows alone, so a row
/// of one kind never passes for one of another.
package struct SealedRow {
    package static let keyIDByteCount = 8

    package let keyID: [UInt8]
    package let fields: [UInt8]
    private let code: [UInt8]

    /// Splits the bytes of a row. Nobody has verified them yet. Returns nil if they are too short for any field.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count > Self.keyIDByteCount + DigestBytes.count else { return nil }
        self.keyID = Array(bytes.prefix(Self.keyIDByteCount))
        self.fields = Array(bytes.dropFirst(Self.keyIDByteCount).dropLast(DigestBytes.count))
        self.code = Array(bytes.suffix(DigestBytes.count))
    }

    /// Returns the bytes of a row. `place` appends what the store keeps beside them. Its length must follow from its
    /// own bytes, so that no two rows give the same message.
    package static func seal(
        _ fields: [UInt8], keyID: [UInt8], by key: HMACKey, in place: (inout HMACMessage) -> Void
    ) -> [UInt8] {
        // We reserve the exact size because these bytes stay in memory; an array that grew keeps up to twice the room.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(keyID.count + fields.count + DigestBytes.count)
        bytes += keyID
        bytes += fields
        Self.code(of: fields, by: key, in: place).withBytes { bytes.append(contentsOf: $0) }
        return bytes
    }

    /// Returns whether the row was sealed by this key, in this place. Read no field before.
    package func isSealed(by key: HMACKey, in place: (inout HMACMessage) -> Void) -> Bool {
        equalInConstantTime(Self.code(of: self.fields, by: key, in: place).array(), self.code)
    }

    private static func code(
        of fields: [UInt8], by key: HMACKey, in place: (inout HMACMessage) -> Void
    ) -> DigestBytes {
        key.code { message in
            place(&message)
            message.append(fields)
        }
    }
}
