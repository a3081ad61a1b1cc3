import Base
import Cryptography
import Logins

/// Turns a session into the row that a store keeps, and verifies a row that it turns back into a session.
///
///     key id 8 ‖ fields ‖ MAC 32
///
/// The subject, the PIN's secret and the refresh token are encrypted, so a reader of the store gets none of them. The
/// MAC covers all fields and the columns beside them, so a writer cannot change any. (A writer can restore a complete
/// older row, as a backup does.)
enum SessionSeal {
    private static let macByteCount = 32

    static func seal(_ session: Session, under key: SessionKey) -> SealedSession {
        let person = session.active.map { key.person(app: session.app, subject: $0.subject) } ?? session.person
        let fields = SessionCodec.encode(session) {
            AESGCM.seal($0, key: Self.key(of: session.id, key), additional: Self.additional(session.id, key))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(SessionKey.idByteCount + fields.count + Self.macByteCount)
        // The key id comes first, in the clear, because it selects the key.
        bytes += key.id
        bytes += fields
        let due = session.due
        let code = Self.code(fields, of: session.id, session.revision, due, person, key)
        code.withBytes { bytes.append(contentsOf: $0) }
        return SealedSession(
            id: session.id, revision: session.revision, due: due, person: person, keyID: key.id, bytes: bytes)
    }

    static func open(_ row: SealedSession, keys: SessionKeys) throws(RowError) -> Session {
        guard row.bytes.count > SessionKey.idByteCount + Self.macByteCount else { throw .forged }
        let keyID = Array(row.bytes.prefix(SessionKey.idByteCount))
        guard let key = keys.key(keyID) else { throw .retiredKey }
        let fields = Array(row.bytes.dropFirst(SessionKey.idByteCount).dropLast(Self.macByteCount))
        let code = Self.code(fields, of: row.id, row.revision, row.due, row.person, key)
        guard equalInConstantTime(code.array(), Array(row.bytes.suffix(Self.macByteCount))), row.keyID == keyID,
            var session = try? SessionCodec.decode(
                fields,
                open: {
                    AESGCM.open($0, key: Self.key(of: row.id, key), additional: Self.additional(row.id, key))
                }),
            session.id == row.id, session.revision == row.revision
        else { throw .forged }
        session.person = row.person
        return session
    }

    /// Each session has its own key, because a row is sealed again with every write, and a key of AES-GCM with random
    /// nonces is good for 2³² seals (SP 800-38D §8.3).
    private static func key(of id: SessionID, _ key: SessionKey) -> Secret {
        HKDF.derive(AESGCM.keyByteCount, from: key.seal, salt: id.bytes, info: Array("row".utf8))
    }

    private static func additional(_ id: SessionID, _ key: SessionKey) -> [UInt8] {
        [SessionCodec.format] + key.id + id.bytes
    }

    /// The MAC also covers what a store reads of the row.
    private static func code(
        _ fields: [UInt8], of id: SessionID, _ revision: Int64, _ due: Timestamp, _ person: [UInt8], _ key: SessionKey
    ) -> DigestBytes {
        var place = ByteWriter(capacity: 80)
        place.write(id.bytes)
        place.write(revision)
        place.write(due.milliseconds)
        place.write(person)
        return key.mac.code { message in
            message.append(place.bytes)
            message.append(fields)
        }
    }
}
