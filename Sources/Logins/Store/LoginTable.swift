import Base

/// Rows of logins in memory, by their ids. An entry does not repeat the id, because there may be a million.
///
/// It is in this module, and not in that of the stores, so that `LoginDictionary` is specialised for its entries.
package struct LoginTable {
    /// A row without its id.
    private struct Entry {
        private let content: Content
        private let revision: Int64
        private let due: Timestamp

        init(_ row: SealedLogin) {
            self.content = Content(row)
            self.revision = row.revision
            self.due = row.due
        }

        func row(of id: LoginID) -> SealedLogin {
            SealedLogin(
                id: id, revision: self.revision, due: self.due, isOpen: self.content.isOpen,
                isOver: self.content.isOver, bytes: self.content.bytes)
        }
    }

    /// The bytes of a row that is open, over, both or neither. An enum stores this in unused bits of the reference to the
    /// bytes; two properties would make an entry eight bytes larger.
    private enum Content {
        case neither([UInt8])
        case open([UInt8])
        case over([UInt8])
        case both([UInt8])

        init(_ row: SealedLogin) {
            switch (row.isOpen, row.isOver) {
            case (false, false): self = .neither(row.bytes)
            case (true, false): self = .open(row.bytes)
            case (false, true): self = .over(row.bytes)
            case (true, true): self = .both(row.bytes)
            }
        }

        var isOpen: Bool {
            switch self {
            case .open, .both: true
            case .neither, .over: false
            }
        }

        var isOver: Bool {
            switch self {
            case .over, .both: true
            case .neither, .open: false
            }
        }

        var bytes: [UInt8] {
            switch self {
            case .neither(let bytes), .open(let bytes), .over(let bytes), .both(let bytes): bytes
            }
        }
    }

    private var entries = LoginDictionary<Entry>()

    package init() {}

    /// The number of rows that fit without a new allocation.
    package var capacity: Int { self.entries.capacity }

    package subscript(id: LoginID) -> SealedLogin? { self.entries[id]?.row(of: id) }

    package func contains(_ id: LoginID) -> Bool { self.entries.contains(id) }

    /// Returns the row that it replaces.
    @discardableResult
    package mutating func store(_ row: SealedLogin) -> SealedLogin? {
        self.entries.updateValue(Entry(row), forKey: row.id)?.row(of: row.id)
    }

    /// Frees the memory of most entries too, if most of them are gone.
    @discardableResult
    package mutating func remove(_ id: LoginID) -> SealedLogin? {
        self.entries.removeValue(forKey: id)?.row(of: id)
    }
}
