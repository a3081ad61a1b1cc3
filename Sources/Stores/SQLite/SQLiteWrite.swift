import Base
import GRDB
import KeyRing
import Logins

/// One change of one row. Each has its own result, although many share a transaction.
enum SQLiteWrite: Sendable {
    case insert(SealedLogin, noting: NoteAddition? = nil)
    case replace(SealedLogin, revision: Int64, noting: NoteAddition? = nil)
    case remove(LoginID, revision: Int64)
    /// Removes some of the tombstones that are due.
    case removeTombstones(dueAt: Timestamp)
    /// Removes some of the notes whose time is over.
    case removeNotes(dueAt: Timestamp)
    case session(SQLiteSessionWrite)
    case keyRing(StoredKeyRing, after: Int64?)
    /// Inserts and deletes a row, because only a real write shows that a login could be stored.
    case probe

    init(_ change: SweepChange) {
        switch change {
        case .replace(let row, let revision, let note): self = .replace(row, revision: revision, noting: note)
        case .remove(let id, let revision): self = .remove(id, revision: revision)
        }
    }

    /// Returns false if there is no such row, or if it exists already. `live` has the logins as they were before this
    /// transaction, and `over` those that this transaction has ended.
    func run(in database: Database, _ live: LiveLogins, _ over: inout Set<LoginID>) throws -> Bool {
        let isDone = try self.write(in: database, live, &over)
        switch self {
        case .insert(let row, let note?) where isDone, .replace(let row, _, let note?) where isDone:
            try SQLiteNotes.add(note, to: row.id, in: database)
        case .insert, .replace, .remove, .removeTombstones, .removeNotes, .session, .keyRing, .probe: break
        }
        return isDone
    }

    private func write(in database: Database, _ live: LiveLogins, _ over: inout Set<LoginID>) throws -> Bool {
        switch self {
        case .insert(let row, _):
            guard !live.hasTombstone(of: row.id), !over.contains(row.id) else { return false }
            return try Self.change(
                Self.insertion,
                [
                    SQLiteBytes(row.id.bytes), row.revision, row.due.milliseconds, row.isOpen, SQLiteBytes(row.bytes),
                ], in: database)
        case .replace(let row, let revision, _):
            if let tombstone = PackedTombstone(row) {
                guard try Self.remove(row.id, revision, in: database) else { return false }
                try SQLiteTombstones.insert(tombstone, in: database)
                over.insert(row.id)
                return true
            }
            // Most changes leave the index on `due` alone, and SQLite would write two pages for it.
            if let old = live[row.id], old.revision == revision, old.due == row.due {
                return try Self.change(
                    "UPDATE login SET revision = ?, is_open = ?, bytes = ? WHERE id = ? AND revision = ?",
                    [row.revision, row.isOpen, SQLiteBytes(row.bytes), SQLiteBytes(row.id.bytes), revision],
                    in: database)
            }
            return try Self.change(
                "UPDATE login SET revision = ?, due = ?, is_open = ?, bytes = ? WHERE id = ? AND revision = ?",
                [
                    row.revision, row.due.milliseconds, row.isOpen, SQLiteBytes(row.bytes), SQLiteBytes(row.id.bytes),
                    revision,
                ], in: database)
        case .remove(let id, let revision):
            return try Self.remove(id, revision, in: database)
        case .removeTombstones(let now):
            return try SQLiteTombstones.removeDue(at: now, in: database)
        case .removeNotes(let now):
            return try SQLiteNotes.removeDue(at: now, in: database)
        case .session(let write):
            return try write.run(in: database)
        case .keyRing(let row, let former):
            return try SQLiteKeyRing.store(row, after: former, in: database)
        case .probe:
            // No login has an empty id. Other connections never see this row, because it is gone before the commit.
            _ = try Self.change(
                Self.insertion, [SQLiteBytes([]), 0, Int64.max, false, SQLiteBytes([])], in: database)
            return try Self.change("DELETE FROM login WHERE id = ?", [SQLiteBytes([])], in: database)
        }
    }

    /// Stores the result where requests read it. Call it in the order of the writes, after their commit.
    func store(in live: LiveLogins, _ recent: RecentSessions) {
        switch self {
        case .insert(let row, _), .replace(let row, _, _): live.store(row)
        case .remove(let id, _): live.remove(id)
        case .session(.insert(let row)), .session(.replace(let row, _)): recent.store(row)
        case .session(.remove(let id, _)): recent.remove(id)
        case .removeTombstones, .removeNotes, .keyRing, .probe: break
        }
    }

    /// Forgets the row if its revision is the one that the file does not have. So a row that somebody has changed with
    /// another program is read again. Call it after every `store` of the transaction.
    func forget(in live: LiveLogins, _ recent: RecentSessions) {
        switch self {
        case .replace(let row, let revision, _): live.remove(row.id, ifAt: revision)
        case .remove(let id, let revision): live.remove(id, ifAt: revision)
        case .session(.replace(let row, let revision)): recent.remove(row.id, ifAt: revision)
        case .session(.remove(let id, let revision)): recent.remove(id, ifAt: revision)
        case .insert, .removeTombstones, .removeNotes, .session(.insert), .keyRing, .probe: break
        }
    }

    private static let insertion =
        "INSERT INTO login (id, revision, due, is_open, bytes) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"

    private static func remove(_ id: LoginID, _ revision: Int64, in database: Database) throws -> Bool {
        try Self.change(
            "DELETE FROM login WHERE id = ? AND revision = ?", [SQLiteBytes(id.bytes), revision], in: database)
    }

    /// Returns whether the statement has changed a row.
    static func change(_ sql: String, _ arguments: StatementArguments, in database: Database) throws -> Bool {
        try database.cachedStatement(sql: sql).execute(arguments: arguments)
        return database.changesCount == 1
    }
}
