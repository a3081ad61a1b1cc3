import Base
import Cryptography

/// Turns a login that is over into a row of 32 bytes, and verifies such a row:
///
///     key id[0..<1] ‖ tombstone (23) ‖ MAC[0..<8]
enum TombstoneSeal {
    private static let macByteCount = 8

    static func seal(_ tombstone: Tombstone, of id: LoginID, until: Timestamp, under key: ServerKey) -> SealedLogin {
        // A whole second, because a store keeps the time in four bytes.
        let due = Timestamp(seconds: (until + .milliseconds(999)).seconds)
        let fields = key.id.prefix(1) + tombstone.bytes
        return SealedLogin(tombstoneOf: id, due: due, bytes: fields + Self.code(Array(fields), of: id, due, key))
    }

    static func open(_ row: SealedLogin, keys: ServerKeys) throws(RowError) -> (Tombstone, ServerKey) {
        let keys = keys.all.filter { $0.id.first == row.bytes.first }
        guard !keys.isEmpty else { throw .retiredKey }
        let (fields, code) = (Array(row.bytes.dropLast(Self.macByteCount)), Array(row.bytes.suffix(Self.macByteCount)))
        let key = keys.first { equalInConstantTime(Self.code(fields, of: row.id, row.due, $0), code) }
        // The other columns are those of every tombstone, so the MAC need not cover them.
        guard let key, row.isTombstone, let tombstone = Tombstone(Array(fields.dropFirst()))
        else { throw .forged }
        return (tombstone, key)
    }

    /// The MAC covers the id and the due time too, which a store keeps beside the bytes.
    private static func code(_ fields: [UInt8], of id: LoginID, _ due: Timestamp, _ key: ServerKey) -> [UInt8] {
        key.mac.code { message in
            message.append("tombstone")
            message.append(id)
            withUnsafeBytes(of: due.milliseconds.bigEndian) { message.append($0) }
            message.append(fields)
        }.array(Self.macByteCount)
    }
}
