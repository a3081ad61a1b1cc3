import Base

/// What a write of a login adds to its note. A store appends the bytes and never looks into them. Notes are found by
/// the reference of their login.
package struct NoteAddition: Equatable, Sendable {
    package let reference: String
    package let bytes: [UInt8]
    /// The most bytes that the whole note may have after this. If it would have more, nothing is added.
    package let limit: Int
    /// When the store may remove the note, unless an earlier addition said a later time. It changes at most once an hour,
    /// so that an index on it seldom changes.
    package let keepUntil: Timestamp

    package init(reference: String, bytes: [UInt8], limit: Int, keepUntil: Timestamp) {
        self.reference = reference
        self.bytes = bytes
        self.limit = limit
        self.keepUntil = keepUntil
    }
}

/// The note of one login, as a store keeps it.
package struct StoredNote: Equatable, Sendable {
    package let id: LoginID
    package let bytes: [UInt8]

    package init(id: LoginID, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }
}
