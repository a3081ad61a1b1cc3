/// Turns a login into the row that a store keeps, and a row back into a login that can be believed.
///
/// The row ends in a MAC over all its fields and over what stands beside them in the store, made anew by every transition
/// and checked before anything is read: a store's writer forges nothing. (He can put back a whole older row.)
import JOSE

enum LoginSeal {
    enum Failure: Error, Equatable {
        /// The row names a key that is not configured any more.
        case retiredKey
        /// Changed, cut short or mixed up by whoever can write the store.
        case forged
    }

    private static let macByteCount = 32

    static func seal(_ login: Login, under key: ServerKey) -> SealedLogin {
        let fields = LoginCodec.encode(login)
        func row(_ bytes: [UInt8]) -> SealedLogin {
            SealedLogin(
                id: login.id, revision: login.revision, due: login.due, isOpen: login.isOpen, isOver: login.isOver,
                bytes: bytes)
        }
        // Exactly as long as they are: these bytes stay, and an array that grew has room for as many again.
        var bytes: [UInt8] = []
        bytes.reserveCapacity(login.keyID.count + fields.count + Self.macByteCount)
        // The key id stands in front too, in the clear, to find the key by.
        bytes += login.keyID
        bytes += fields
        bytes += Self.code(row([]), fields, key)
        return row(bytes)
    }

    static func open(_ row: SealedLogin, keys: ServerKeys) throws(Failure) -> (Login, ServerKey) {
        guard row.bytes.count > 8 + Self.macByteCount else { throw .forged }
        guard let key = keys.key(Array(row.bytes.prefix(8))) else { throw .retiredKey }
        let fields = Array(row.bytes.dropFirst(8).dropLast(Self.macByteCount))
        guard equalInConstantTime(Self.code(row, fields, key), Array(row.bytes.suffix(Self.macByteCount))),
            let login = try? LoginCodec.decode(fields), login.id == row.id, login.keyID == key.id,
            login.revision == row.revision
        else { throw .forged }
        return (login, key)
    }

    /// What a store reads of the row is in it too: when it is due, and whether it is open.
    private static func code(_ row: SealedLogin, _ fields: [UInt8], _ key: ServerKey) -> [UInt8] {
        var message = ByteWriter(capacity: LoginID.byteCount + 17 + fields.count)
        message.append(row.id.bytes)
        message.write(row.revision)
        message.write(row.due.milliseconds)
        message.write(UInt8(row.isOpen ? 1 : 0))
        message.append(fields)
        return HMAC.code(message.bytes, key: key.mac)
    }
}
