import Base
import Cryptography

/// Turns a login into the row that a store keeps, and verifies a row that it turns back into a login.
///
/// The row ends in a MAC over all its fields and over the columns beside them. Every transition makes a new MAC, and we
/// check it before we read anything. So write access to the store does not allow forgery. (It does allow restoring a
/// complete older row.)
enum LoginSeal {
    private static let macByteCount = 32

    static func seal(_ login: Login, under key: ServerKey) -> SealedLogin {
        if let tombstone = Tombstone(login, under: key) {
            return TombstoneSeal.seal(tombstone, of: login.id, until: login.due, under: key)
        }
        let fields = LoginCodec.encode(login)
        let (due, isOpen) = (login.due, login.isOpen)
        // We reserve the exact size because these bytes stay in memory; an array that grew keeps up to twice the room.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(login.keyID.count + fields.count + Self.macByteCount)
        // The key id also comes first, in the clear, because it selects the key.
        bytes += login.keyID
        bytes += fields
        let code = Self.code(fields, of: login.id, login.revision, due, isOpen: isOpen, key)
        code.withBytes { bytes.append(contentsOf: $0) }
        return SealedLogin(
            id: login.id, revision: login.revision, due: due, isOpen: isOpen, bytes: bytes)
    }

    static func open(_ row: SealedLogin, keys: ServerKeys) throws(RowError) -> (Login, ServerKey) {
        guard row.bytes.count > 8 + Self.macByteCount else { throw .forged }
        guard let key = keys.key(Array(row.bytes.prefix(8))) else { throw .retiredKey }
        let fields = Array(row.bytes.dropFirst(8).dropLast(Self.macByteCount))
        let code = Self.code(fields, of: row.id, row.revision, row.due, isOpen: row.isOpen, key)
        guard equalInConstantTime(code.array(), Array(row.bytes.suffix(Self.macByteCount))),
            let login = try? LoginCodec.decode(fields), login.id == row.id, login.keyID == key.id,
            login.revision == row.revision
        else { throw .forged }
        return (login, key)
    }

    /// The MAC also covers what a store reads of the row: when it is due, and whether it is open.
    private static func code(
        _ fields: [UInt8], of id: LoginID, _ revision: Int64, _ due: Timestamp, isOpen: Bool, _ key: ServerKey
    ) -> DigestBytes {
        let place = (revision.bigEndian, due.milliseconds.bigEndian, UInt8(isOpen ? 1 : 0))
        return key.mac.code { message in
            message.append(id)
            // Without the padding bytes after the tuple's last member.
            withUnsafeBytes(of: place) { message.append(UnsafeRawBufferPointer(rebasing: $0.prefix(17))) }
            message.append(fields)
        }
    }
}
