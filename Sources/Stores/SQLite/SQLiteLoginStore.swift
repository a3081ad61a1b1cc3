import Base
import GRDB
import Logins
import Synchronization

/// The store of logins and sessions in one local SQLite file. Acknowledged writes survive `kill -9` and a power cut.
///
/// One process uses the file, so requests read from memory (`LiveLogins`, `RecentSessions`), and the file is what makes
/// the rows last. One writer commits all writes that arrived during its last transaction in one new transaction. A few
/// readers never wait for it (WAL). SQLite never runs on the queues that serve connections.
package final class SQLiteLoginStore: LoginStore {
    /// The time between two checkpoints, which remove older copies of rows from the log, and between two removals of
    /// tombstones.
    private static let checkpointInterval = Duration.seconds(10)

    let database: DatabasePool
    let writer: SQLiteWriter
    private let lock: SQLiteLock
    private let place: SQLiteLocation
    private let live: LiveLogins
    let recent = RecentSessions()
    private let reading: StoreHealth
    private let abandoned: Mutex<[SealedLogin]>
    private let checkpoint = Mutex<(at: Timestamp?, commits: Int)>((nil, 0))
    private let removal = Mutex<Timestamp?>(nil)

    /// Opens the file. `observe` gets the reason if the store stops working, and nil when it works again.
    package init(
        path: String, observe: @escaping @Sendable (StorageError?) -> Void = { _ in }
    ) throws(StoreOpeningError) {
        let file = try SQLiteFiles.prepare(path)
        self.lock = try SQLiteLock(file: file, path: path)
        self.database = try SQLiteOpening.open(file)
        self.reading = StoreHealth(observe)
        self.place = SQLiteLocation(path, log: "\(file)-wal")
        let live = LiveLogins()
        self.abandoned = Mutex(try SQLiteOpening.load(self.database, to: live, path))
        self.live = live
        self.writer = SQLiteWriter(self.database, at: self.place, live, self.recent, health: StoreHealth(observe))
    }

    /// The number of open rows.
    package var open: Int { self.live.open }

    nonisolated(nonsending) package func insert(
        _ row: SealedLogin, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        try await self.writer.perform(.insert(row, noting: note))
    }

    nonisolated(nonsending) package func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        if let row = self.live[id] { return row }
        // The final login of an earlier process, or an unknown id.
        return try await self.read { try SQLiteRows.load(id, from: $0) }
    }

    package func isInMemory(_ id: LoginID) -> Bool { self.live[id] != nil }

    nonisolated(nonsending) package func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        try await self.writer.perform(.replace(row, revision: revision, noting: note))
    }

    package func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] {
        try await self.read { try SQLiteNotes.load(ofReference: reference, from: $0) }
    }

    package func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.writer.perform(.remove(id, revision: revision))
    }

    /// The lock on the file shows that the earlier process has ended.
    package func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins {
        self.abandoned.withLock { rows in
            defer { rows = [] }
            return AbandonedLogins(rows, leftBy: nil)
        }
    }

    package func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try await self.read { try SQLiteRows.due(at: now, limit: limit, from: $0) }
    }

    /// Writes one row at a time: a large commit changes many pages, and a writer has to wait while they are copied from
    /// the log to the file.
    package func apply(_ change: SweepChange) async throws(StoreError) -> Bool {
        try await self.writer.perform(SQLiteWrite(change), isPatient: true)
    }

    nonisolated(nonsending) package func openCount() async throws(StoreError) -> Int { self.live.open }

    package func probe() async throws(StoreError) { _ = try await self.writer.perform(.probe) }

    /// Removes the tombstones and the notes that are due, and truncates the log, each if it is time.
    package func tidy(at now: Timestamp) async {
        await self.removeTombstones(at: now)
        await self.truncateLog(at: now)
    }

    /// A failure is no reason to try at once: those that are left go with the next ones, because they are the first in
    /// their table.
    private func removeTombstones(at now: Timestamp) async {
        let isTime = self.removal.withLock { last in
            if let at = last, now - at < Self.checkpointInterval, at <= now { return false }
            last = now
            return true
        }
        guard isTime else { return }
        if (try? await self.read({ try SQLiteNotes.areDue(at: now, from: $0) })) == true {
            while (try? await self.writer.perform(.removeNotes(dueAt: now), isPatient: true)) == true {}
        }
        guard self.live.removeTombstones(dueAt: now) else { return }
        while (try? await self.writer.perform(.removeTombstones(dueAt: now), isPatient: true)) == true {}
    }

    /// Copies the log into the file and truncates it, if it is time and the log is not empty.
    ///
    /// An older copy of a row reveals more than the current one, so we truncate the log instead of only overwriting it.
    private func truncateLog(at now: Timestamp) async {
        let commits = self.writer.commits
        let isTime = self.checkpoint.withLock { last in
            if let at = last.at, now - at < Self.checkpointInterval, at <= now { return false }
            guard last.commits != commits else { return false }
            last = (now, commits)
            return true
        }
        guard isTime, await !self.writer.truncateLog() else { return }
        // A reader was in the way. The next time does not wait for a commit.
        self.checkpoint.withLock { $0.commits = -1 }
    }

    /// Commits the waiting writes and refuses later ones. Returns when another process may use the file.
    package func close() async {
        await self.writer.close()
        self.live.removeAll()
        self.recent.removeAll()
        self.lock.release()
    }

    /// Reads from the database. We do not use `read` with `await`, because a cancelled task would interrupt it. A sweep
    /// or an exchange must finish.
    nonisolated(nonsending) func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StorageError> = await withCheckedContinuation { continuation in
            self.database.asyncRead { database in
                // A connection opened now would open whatever file has taken the place of ours.
                let database = self.place.isKept ? database : .failure(StorageError.moved)
                continuation.resume(
                    returning: database.flatMap { database in Result { try body(database) } }.inOurWords)
            }
        }
        switch result {
        case .success(let value):
            self.reading.note(nil)
            return value
        case .failure(let cause):
            self.reading.note(cause)
            throw .unavailable
        }
    }
}

extension Result {
    fileprivate var inOurWords: Result<Success, StorageError> { self.mapError { StorageError($0) } }
}
