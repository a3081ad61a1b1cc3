/// Turns a login into the row that a store keeps, and a row back into a login that can be believed.
///
/// The row ends in a MAC over all its fields, made anew by every transition and checked before anything is read: a
/// store's writer forges nothing. (He can put back a whole older row.)
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
        // The key id stands in front too, in the clear, to find the key by.
        let bytes = login.keyID + fields + Self.code(login.id, fields, key)
        return SealedLogin(
            id: login.id, revision: login.revision, due: login.due, isOpen: login.isOpen, isOver: login.isOver,
            bytes: bytes)
    }

    static func open(_ row: SealedLogin, keys: ServerKeys) throws(Failure) -> (Login, ServerKey) {
        guard row.bytes.count > 8 + Self.macByteCount else { throw .forged }
        guard let key = keys.key(Array(row.bytes.prefix(8))) else { throw .retiredKey }
        let fields = Array(row.bytes.dropFirst(8).dropLast(Self.macByteCount))
        guard equalInConstantTime(Self.code(row.id, fields, key), Array(row.bytes.suffix(Self.macByteCount))),
            let login = try? LoginCodec.decode(fields), login.id == row.id, login.keyID == key.id
        else { throw .forged }
        return (login, key)
    }

    private static func code(_ id: LoginID, _ fields: [UInt8], _ key: ServerKey) -> [UInt8] {
        HMAC.code(id.bytes + fields, key: key.mac)
    }
}
