/// The logins that somebody here waits for, and which revision of each he knows: a value, so that who is woken when is a
/// table of tests.
///
/// Whoever waits has read a revision. That revision is marked in the row as waited for, by a write that succeeds only while
/// it is still the one: so either the writer of the next one sees the mark and tells us, or the mark fails and we look again.
import Logins

struct WatchedLogins {
    /// A revision that is known here, and the partition of its row.
    struct Known: Equatable, Sendable {
        let id: LoginID
        let revision: Int64
        let hour: Int64
    }

    private struct Watch {
        var count = 1
        var known: Known?
    }

    private var watches: [LoginID: Watch] = [:]
    private var unmarked: Set<LoginID> = []

    var isEmpty: Bool { self.watches.isEmpty }
    var ids: [LoginID] { Array(self.watches.keys) }
    var wantsMarks: Bool { !self.unmarked.isEmpty }

    /// What is known of all of them.
    var known: [Known] { self.watches.values.compactMap(\.known) }

    mutating func begin(_ id: LoginID) { self.watches[id, default: Watch(count: 0)].count += 1 }

    mutating func end(_ id: LoginID) {
        guard let count = self.watches[id]?.count else { return }
        if count > 1 {
            self.watches[id]?.count -= 1
        } else {
            self.watches[id] = nil
            self.unmarked.remove(id)
        }
    }

    /// Somebody here has read it. True when others who wait here may know less.
    mutating func read(_ row: Known) -> Bool {
        guard let watch = self.watches[row.id], watch.known != row else { return false }
        self.know(row)
        return watch.known != nil
    }

    /// This process has written it; its waiters have been told of that. True when they missed something before.
    mutating func wrote(_ id: LoginID, _ revision: Int64, after before: Int64) -> Bool {
        guard let known = self.watches[id]?.known else { return false }
        self.know(Known(id: id, revision: revision, hour: known.hour))
        return known.revision != before
    }

    /// What has to be marked next.
    mutating func takeUnmarked(_ limit: Int) -> [Known] {
        let taken = self.unmarked.prefix(limit)
        self.unmarked.subtract(taken)
        return taken.compactMap { self.watches[$0]?.known }
    }

    /// Which of those that were to be marked could be. Returns the ones that have changed.
    mutating func tried(_ asked: [Known], marked: Set<LoginID>) -> [LoginID] {
        asked.filter { self.watches[$0.id]?.known == $0 && !marked.contains($0.id) }.map { self.forget($0.id) }
    }

    /// What the revisions of those that were asked about are now. Returns the ones that have changed.
    mutating func found(_ asked: [Known], _ revisions: [LoginID: Int64]) -> [LoginID] {
        asked.filter { self.watches[$0.id]?.known == $0 && revisions[$0.id] != $0.revision }.map { self.forget($0.id) }
    }

    private mutating func know(_ row: Known) {
        self.watches[row.id]?.known = row
        self.unmarked.insert(row.id)
    }

    /// So that it is told once, until somebody reads it again.
    private mutating func forget(_ id: LoginID) -> LoginID {
        self.watches[id]?.known = nil
        self.unmarked.remove(id)
        return id
    }
}
