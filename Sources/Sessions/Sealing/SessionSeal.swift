import Base
import Cryptography
import Logins

/// Turns a session into the row that a store keeps, and verifies a row that it turns back into a session.
///
/// The subject, the PIN's secret and the refresh token are encrypted, so a reader of the store gets none of them. The
/// MAC covers all fields and the columns beside them, so a writer cannot change any. (A writer can restore a complete
/// older row, as a backup does.)
enum SessionSeal {
    static func seal(_ session: Session, under key: SessionKey) -> SealedSession {
        let person = session.active.map { key.person(app: session.app, subject: $0.subject) } ?? session.person
        let fields = SessionCodec.encode(session) {
            AESGCM.seal($0, key: Self.key(of: session.id, key), additional: Self.additional(session.id, key))
        }
        let due = session.due
        let bytes = SealedRow.seal(fields, keyID: key.id, by: key.mac) { place in
            Self.write(session.id, session.revision, due, person, to: &place)
        }
        return SealedSession(
            id: session.id, revision: session.revision, due: due, person: person, keyID: key.id, bytes: bytes)
    }

    static func open(_ row: SealedSession, keys: SessionKeys) throws(RowError) -> Session {
        guard let sealed = SealedRow(row.bytes) else { throw .forged }
        guard let key = keys.key(sealed.keyID) else { throw .retiredKey }
        let isSealed = sealed.isSealed(by: key.mac) { place in
            Self.write(row.id, row.revision, row.due, row.person, to: &place)
        }
        guard isSealed, row.keyID == sealed.keyID,
            var session = try? SessionCodec.decode(
                sealed.fields,
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

    /// Writes what the MAC covers besides the fields: what a store reads of the row. Each value of a variable length
    /// comes after its length.
    private static func write(
        _ id: SessionID, _ revision: Int64, _ due: Timestamp, _ person: [UInt8], to place: inout HMACMessage
    ) {
        var columns = ByteWriter(capacity: 80)
        columns.write(id.bytes)
        columns.write(revision)
        columns.write(due.milliseconds)
        columns.write(person)
        place.append(columns.bytes)
    }
}
