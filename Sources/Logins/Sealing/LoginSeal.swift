import Base
import Cryptography

/// Turns a login into the row that a store keeps, and verifies a row that it turns back into a login.
///
/// The row ends in a MAC over all its fields and over the columns beside them. Every transition makes a new MAC, and we
/// check it before we read anything. So write access to the store does not allow forgery. (It does allow restoring a
/// complete older row.)
enum LoginSeal {
    static func seal(_ login: Login, under key: ServerKey) -> SealedLogin {
        if let tombstone = Tombstone(login, under: key) {
            return TombstoneSeal.seal(tombstone, of: login.id, until: login.due, under: key)
        }
        let (due, isOpen) = (login.due, login.isOpen)
        let bytes = SealedRow.seal(LoginCodec.encode(login), keyID: login.keyID, by: key.mac) { place in
            Self.write(login.id, login.revision, due, isOpen: isOpen, to: &place)
        }
        return SealedLogin(id: login.id, revision: login.revision, due: due, isOpen: isOpen, bytes: bytes)
    }

    static func open(_ row: SealedLogin, keys: ServerKeys) throws(RowError) -> (Login, ServerKey) {
        guard let sealed = SealedRow(row.bytes) else { throw .forged }
        guard let key = keys.key(sealed.keyID) else { throw .retiredKey }
        let isSealed = sealed.isSealed(by: key.mac) { place in
            Self.write(row.id, row.revision, row.due, isOpen: row.isOpen, to: &place)
        }
        guard isSealed, let login = try? LoginCodec.decode(sealed.fields), login.id == row.id, login.keyID == key.id,
            login.revision == row.revision
        else { throw .forged }
        return (login, key)
    }

    /// Writes what the MAC covers besides the fields: what a store reads of the row, when it is due and whether it is
    /// open. All of it has a fixed length.
    private static func write(
        _ id: LoginID, _ revision: Int64, _ due: Timestamp, isOpen: Bool, to place: inout HMACMessage
    ) {
        place.append(id)
        let columns = (revision.bigEndian, due.milliseconds.bigEndian, UInt8(isOpen ? 1 : 0))
        // Without the padding bytes after the tuple's last member.
        withUnsafeBytes(of: columns) { place.append(UnsafeRawBufferPointer(rebasing: $0.prefix(17))) }
    }
}
