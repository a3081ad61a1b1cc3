/// Rows of logins in memory, by their ids. An entry does not repeat the id, because there may be a million.
import Base
import Logins

struct LoginTable {
    /// A row without its id.
    private struct Entry {
        private let bytes: [UInt8]
        private let revision: Int64
        private let due: Timestamp
        private let isOpen: Bool
        private let isOver: Bool

        init(_ row: SealedLogin) {
            self.bytes = row.bytes
            self.revision = row.revision
            self.due = row.due
            self.isOpen = row.isOpen
            self.isOver = row.isOver
        }

        func row(of id: LoginID) -> SealedLogin {
            SealedLogin(
                id: id, revision: self.revision, due: self.due, isOpen: self.isOpen, isOver: self.isOver,
                bytes: self.bytes)
        }
    }

    private var entries: [LoginID: Entry] = [:]

    /// The number of rows that fit without a new allocation.
    var capacity: Int { self.entries.capacity }

    subscript(id: LoginID) -> SealedLogin? { self.entries[id]?.row(of: id) }

    func contains(_ id: LoginID) -> Bool { self.entries[id] != nil }

    /// Returns the row that it replaces.
    @discardableResult
    mutating func store(_ row: SealedLogin) -> SealedLogin? {
        self.entries.updateValue(Entry(row), forKey: row.id)?.row(of: row.id)
    }

    /// Frees the memory of most entries too, if most of them are gone.
    @discardableResult
    mutating func remove(_ id: LoginID) -> SealedLogin? {
        defer { self.entries.shrinkIfSparse() }
        return self.entries.removeValue(forKey: id)?.row(of: id)
    }
}
