import Base

/// The storage of logins. The conformance suite of the stores completes this contract: a store that passes it is
/// correct.
///
/// A store keeps opaque rows and never looks into them. A transition is `load`, a pure function, `replace`. On a
/// conflict with another writer, `replace` returns false and the caller starts again.
///
/// The methods that every request needs run on the caller's executor (`nonsending`): a hop to another executor and back
/// would cost more than a table lookup.
package protocol LoginStore: Sendable {
    /// Stores a new row. Returns false if the id is taken. `note` is added to the login's note by the same write, so
    /// that both are stored or neither is; that holds for `replace` too.
    nonisolated(nonsending) func insert(_ row: SealedLogin, noting note: NoteAddition?) async throws(StoreError) -> Bool

    nonisolated(nonsending) func load(_ id: LoginID) async throws(StoreError) -> SealedLogin?

    /// Whether `load` finds this row in memory, and asks no database.
    func isInMemory(_ id: LoginID) -> Bool

    /// The row as this process has read or written it, if it knows one that is likely to be the stored one. It may be
    /// older, so use it only for a change: `replace` compares the revision. Nil if `load` costs no more.
    func recent(_ id: LoginID) -> SealedLogin?

    /// Stores `row` in place of the one with that revision. Returns false if the stored revision is another one.
    nonisolated(nonsending) func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool

    /// Returns the notes of the logins with this reference. Two logins may have the same one.
    func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote]

    /// Removes the row with that revision. Returns false if the stored revision is another one.
    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool

    /// Returns up to `limit` rows that are due, roughly in the order of their due time.
    func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin]

    /// The name by which other processes see that this process lives. Empty if they cannot see it.
    var processName: String { get }

    /// Returns the rows that processes which have ended may have left, so that their leases need not run out. Each
    /// process that has ended is reported once. Call it about once a second; `dueBy` limits the rows.
    func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins

    /// Applies the result of a sweep, with lower priority than other writes. Returns false in the cases in which
    /// `replace` and `remove` do.
    func apply(_ change: SweepChange) async throws(StoreError) -> Bool

    /// Returns how many rows are open.
    nonisolated(nonsending) func openCount() async throws(StoreError) -> Int

    /// Returns if a login could be stored now; throws otherwise.
    func probe() async throws(StoreError)

    /// Registers a handler. The store calls it when another process may have changed a watched login.
    func observeChanges(_ onChange: @escaping @Sendable (LoginID) -> Void)

    /// Starts to watch a login for changes by other processes. Calls are counted: each needs one `unwatch`. Call it
    /// before the `load` whose row you wait to see changed. The store then reports every change after that load.
    func watch(_ id: LoginID)

    func unwatch(_ id: LoginID)
}

/// The default for a store that only this process writes: there is nothing to report.
extension LoginStore {
    package func observeChanges(_ onChange: @escaping @Sendable (LoginID) -> Void) {}
    package func watch(_ id: LoginID) {}
    package func unwatch(_ id: LoginID) {}
    package func isInMemory(_ id: LoginID) -> Bool { false }
    package func recent(_ id: LoginID) -> SealedLogin? { nil }
    package var processName: String { "" }
    package func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins { AbandonedLogins() }
}

extension LoginStore {
    nonisolated(nonsending) package func insert(_ row: SealedLogin) async throws(StoreError) -> Bool {
        try await self.insert(row, noting: nil)
    }

    nonisolated(nonsending) package func replace(
        _ row: SealedLogin, revision: Int64
    ) async throws(StoreError) -> Bool {
        try await self.replace(row, revision: revision, noting: nil)
    }

    package func probe() async throws(StoreError) { _ = try await self.openCount() }

    /// Applies the changes one after another, and returns for each whether it was applied. If one fails after others
    /// were applied, it returns false for the rest instead of throwing, because the caller has to know which were
    /// applied.
    package func apply(_ changes: [SweepChange]) async throws(StoreError) -> [Bool] {
        var results: [Bool] = []
        for change in changes {
            do throws(StoreError) { results.append(try await self.apply(change)) } catch {
                guard results.contains(true) else { throw error }
                return results + changes.dropFirst(results.count).map { _ in false }
            }
        }
        return results
    }

    package func apply(_ change: SweepChange) async throws(StoreError) -> Bool {
        switch change {
        case .replace(let row, let revision, let note):
            try await self.replace(row, revision: revision, noting: note)
        case .remove(let id, let revision): try await self.remove(id, revision: revision)
        }
    }
}

/// Open rows, and the processes that have ended and may have left some of them.
package struct AbandonedLogins: Sendable {
    package let rows: [SealedLogin]
    /// The names of these processes. Nil: only this process uses the store, so an earlier one has left all the rows.
    package let ended: Set<String>?

    package init(_ rows: [SealedLogin] = [], leftBy processes: Set<String>? = []) {
        self.rows = rows
        self.ended = processes
    }
}

/// What a sweep does to a row, provided that its revision is still the same.
package enum SweepChange: Equatable, Sendable {
    case replace(SealedLogin, revision: Int64, noting: NoteAddition? = nil)
    case remove(LoginID, revision: Int64)
}

/// A login's row: the columns that a store needs to find, compare and sweep it, and opaque bytes.
package struct SealedLogin: Equatable, Sendable {
    package let id: LoginID
    package let revision: Int64
    /// The next time at which the row changes without a request.
    package let due: Timestamp
    /// True while the login counts towards the limit of pending logins.
    package let isOpen: Bool
    /// True for a tombstone. It never changes again, and all that is left to do is to remove it when it is due. A store
    /// that does so by itself leaves it out of `loadDue`, and need not find it in `replace` and `remove`.
    package let isOver: Bool
    package let bytes: [UInt8]

    package init(id: LoginID, revision: Int64, due: Timestamp, isOpen: Bool, isOver: Bool = false, bytes: [UInt8]) {
        self.id = id
        self.revision = revision
        self.due = due
        self.isOpen = isOpen
        self.isOver = isOver
        self.bytes = bytes
    }
}

extension SealedLogin {
    /// The revision of every tombstone. No login that can still change has it.
    package static let tombstoneRevision: Int64 = 0
    /// How many bytes every tombstone has. So a store can keep them without their lengths.
    package static let tombstoneByteCount = 32

    /// Whether this is the row of a tombstone. A store keeps these columns beside the bytes, and whoever writes there
    /// can change each of them.
    package var isTombstone: Bool {
        self.isOver && !self.isOpen && self.revision == Self.tombstoneRevision
            && self.bytes.count == Self.tombstoneByteCount
    }

    /// The row of a tombstone.
    package init(tombstoneOf id: LoginID, due: Timestamp, bytes: [UInt8]) {
        self.init(id: id, revision: Self.tombstoneRevision, due: due, isOpen: false, isOver: true, bytes: bytes)
    }
}

/// The store cannot respond now.
package enum StoreError: Error, Equatable, Sendable {
    case unavailable
}

extension StoreError: CustomStringConvertible {
    package var description: String { "the store does not respond: its log lines say why" }
}
