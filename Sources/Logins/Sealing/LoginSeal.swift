/// Turns a login into the row that a store keeps, and a row back into a login that can be believed.
///
/// The row ends in a MAC over all its fields and over what stands beside them in the store, made anew by every transition
/// and checked before anything is read: a store's writer forges nothing. (He can put back a whole older row.)
import Base
import Cryptography

enum LoginSeal {
    private static let macByteCount = 32

    static func seal(_ login: Login, under key: ServerKey) -> SealedLogin {
        let fields = LoginCodec.encode(login)
        let (due, isOpen) = (login.due, login.isOpen)
        // Exactly as long as they are: these bytes stay, and an array that grew has room for as many again.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(login.keyID.count + fields.count + Self.macByteCount)
        // The key id stands in front too, in the clear, to find the key by.
        bytes += login.keyID
        bytes += fields
        let code = Self.code(fields, of: login.id, login.revision, due, isOpen: isOpen, key)
        code.withBytes { bytes.append(contentsOf: $0) }
        return SealedLogin(
            id: login.id, revision: login.revision, due: due, isOpen: isOpen, isOver: login.isOver, bytes: bytes)
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

    /// What a store reads of the row is in it too: when it is due, and whether it is open.
    private static func code(
        _ fields: [UInt8], of id: LoginID, _ revision: Int64, _ due: Timestamp, isOpen: Bool, _ key: ServerKey
    ) -> DigestBytes {
        let place = (revision.bigEndian, due.milliseconds.bigEndian, UInt8(isOpen ? 1 : 0))
        return key.mac.code { message in
            message.append(id)
            // Without the bytes that fill up a tuple behind its last member.
            withUnsafeBytes(of: place) { message.append(UnsafeRawBufferPointer(rebasing: $0.prefix(17))) }
            message.append(fields)
        }
    }
}
