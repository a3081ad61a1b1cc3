import Logins

/// The logins that this process waits for, and the known revision of each. It is a value, so that a table of tests
/// can cover its decisions.
struct WatchedLogins {
    /// A revision that this process knows, and the partition of its row.
    struct Known: Equatable, Sendable {
        let id: LoginID
        let revision: Int64
        let hour: Int64
    }

    private struct Watch {
        var count = 1
        var knownRow: Known?
    }

    private var watches: [LoginID: Watch] = [:]

    var isEmpty: Bool { self.watches.isEmpty }
    var ids: [LoginID] { Array(self.watches.keys) }

    /// The known revisions of all watched logins.
    var knownRows: [Known] { self.watches.values.compactMap(\.knownRow) }

    mutating func begin(_ id: LoginID) { self.watches[id, default: Watch(count: 0)].count += 1 }

    mutating func end(_ id: LoginID) {
        guard let count = self.watches[id]?.count else { return }
        if count > 1 {
            self.watches[id]?.count -= 1
        } else {
            self.watches[id] = nil
        }
    }

    /// Records that this process has read a row. Returns true if other waiters here may know an older revision.
    mutating func read(_ row: Known) -> Bool {
        guard let watch = self.watches[row.id], watch.knownRow != row else { return false }
        self.watches[row.id]?.knownRow = row
        return watch.knownRow != nil
    }

    /// Records our own write, whose waiters were already woken. Returns true if they had missed an earlier change.
    mutating func noteWritten(_ id: LoginID, _ revision: Int64, after before: Int64) -> Bool {
        guard let row = self.watches[id]?.knownRow else { return false }
        self.watches[id]?.knownRow = Known(id: id, revision: revision, hour: row.hour)
        return row.revision != before
    }

    /// Takes the result of a query. Returns the logins whose revision has changed.
    mutating func takeChanged(_ rows: [Known], _ revisions: [LoginID: Int64]) -> [LoginID] {
        rows.filter { self.watches[$0.id]?.knownRow == $0 && revisions[$0.id] != $0.revision }.map {
            self.forget($0.id)
        }
    }

    /// Forgets the revision, so that a change is reported only once until the login is read again.
    private mutating func forget(_ id: LoginID) -> LoginID {
        self.watches[id]?.knownRow = nil
        return id
    }
}
