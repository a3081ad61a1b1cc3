import Base

/// A session's row: the columns that a store needs to find, compare and sweep it, and opaque bytes.
package struct SealedSession: Equatable, Sendable {
    package let id: SessionID
    package let revision: Int64
    /// When the sweep must look at the row: at the end of the session, or of its tombstone.
    package let due: Timestamp
    /// HMAC(lookup key, app ‖ subject), 32 bytes: finds all sessions of a user.
    package let person: [UInt8]
    /// The id (8 bytes) of the session key that sealed the row.
    package let keyID: [UInt8]
    package let bytes: [UInt8]

    package init(
        id: SessionID, revision: Int64, due: Timestamp, person: [UInt8], keyID: [UInt8], bytes: [UInt8]
    ) {
        self.id = id
        self.revision = revision
        self.due = due
        self.person = person
        self.keyID = keyID
        self.bytes = bytes
    }
}
