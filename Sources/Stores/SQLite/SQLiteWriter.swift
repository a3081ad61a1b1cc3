import Dispatch
import GRDB
import Logins
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The only writer. It commits all waiting writes in one transaction, so that concurrent logins and sessions
/// share an fsync.
final class SQLiteWriter: Sendable {
    private struct Waiting: Sendable {
        let write: SQLiteWrite
        let answer: CheckedContinuation<Result<Bool, StorageError>, Never>
    }

    /// The least time between the beginnings of two transactions while several writes come at once.
    private static let gatheringTime = Duration.milliseconds(2)

    private let database: DatabasePool
    private let place: SQLiteLocation
    private let live: LiveLogins
    private let recent: RecentSessions
    private let health: StoreHealth
    private let waiting = Mutex(WriteQueue<Waiting>())
    private let committed = Atomic<Int>(0)
    /// When the last transaction began.
    private let begunAt = Mutex(ContinuousClock.now)

    init(
        _ database: DatabasePool, at place: SQLiteLocation, _ live: LiveLogins, _ recent: RecentSessions,
        health: StoreHealth
    ) {
        self.database = database
        self.place = place
        self.live = live
        self.recent = recent
        self.health = health
    }

    /// The number of committed transactions.
    var commits: Int { self.committed.load(ordering: .relaxed) }

    /// The number of writes that wait for the next transaction.
    var waitingCount: Int { self.waiting.withLock { $0.count } }

    /// Returns when the write is on the disk or has failed. Patient writes let other writes go first.
    nonisolated(nonsending) func perform(_ write: SQLiteWrite, isPatient: Bool = false) async throws(StoreError) -> Bool
    {
        let result: Result<Bool, StorageError> = await withCheckedContinuation { continuation in
            let waiter = Waiting(write: write, answer: continuation)
            switch self.waiting.withLock({ $0.add(waiter, isPatient: isPatient) }) {
            case .begin: self.database.asyncWriteWithoutTransaction { self.commitOnce($0) }
            case .wait: break
            case .refuse(let cause): continuation.resume(returning: .failure(cause))
            }
        }
        switch result {
        case .success(let isDone): return isDone
        case .failure(let cause):
            // `.closed` is not reported, because the process is about to end.
            if cause != .closed { self.health.note(cause) }
            throw .unavailable
        }
    }

    /// Queues itself again after each transaction, so that a checkpoint gets its turn.
    private func commitOnce(_ database: Database) {
        self.gather()
        guard self.commitGroup(database) else { return }
        self.database.asyncWriteWithoutTransaction { self.commitOnce($0) }
    }

    /// Waits a moment for more writes if others are likely to come, because a commit costs more than all its writes.
    /// A write that is alone never waits, and neither does one beside a sweep, whose writes are patient.
    private func gather() {
        guard self.waiting.withLock({ $0.isBusy }) else { return }
        let remainingTime = Self.gatheringTime - (ContinuousClock.now - self.begunAt.withLock { $0 })
        if remainingTime > .zero { usleep(useconds_t(remainingTime / .microseconds(1))) }
    }

    /// Returns false if no write was waiting.
    private func commitGroup(_ database: Database) -> Bool {
        let group = self.waiting.withLock { $0.next() }
        self.begunAt.withLock { $0 = .now }
        guard !group.isEmpty else { return false }
        do {
            guard self.place.isKept else { throw StorageError.moved }
            var results: [Bool] = []
            try database.inTransaction(.immediate) {
                var over: Set<LoginID> = []
                results = try group.map { try $0.write.run(in: database, self.live, &over) }
                return .commit
            }
            self.committed.add(1, ordering: .relaxed)
            for (waiter, isDone) in zip(group, results) where isDone { waiter.write.store(in: self.live, self.recent) }
            for (waiter, isDone) in zip(group, results) where !isDone {
                waiter.write.forget(in: self.live, self.recent)
            }
            self.health.note(nil)
            for (waiter, isDone) in zip(group, results) { waiter.answer.resume(returning: .success(isDone)) }
        } catch {
            // The whole transaction was rolled back, so none of the writes is done.
            let cause = StorageError(error)
            for waiter in group { waiter.answer.resume(returning: .failure(cause)) }
        }
        return true
    }

    /// Copies the log into the file and truncates it. Returns false if a reader is in the way, such as a backup: writes
    /// must not wait for it.
    func truncateLog() async -> Bool {
        await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            self.database.asyncWriteWithoutTransaction { database in
                continuation.resume(returning: self.truncateLog(of: database))
            }
        }
    }

    private func truncateLog(of database: Database) -> Bool {
        do {
            // Our own readers take less. With the usual limit, all writes would wait for a backup every ten seconds.
            try SQLiteOpening.setBusyTimeout(.milliseconds(100), of: database)
            defer { try? SQLiteOpening.setBusyTimeout(SQLiteOpening.busyTimeout, of: database) }
            _ = try database.checkpoint(.truncate)
            return true
        } catch {
            let cause = StorageError(error)
            guard cause == .locked else {
                self.health.note(cause)
                return true
            }
            return false
        }
    }

    func close() async {
        self.waiting.withLock { $0.close() }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // The database's own queue cannot close itself, so we use a thread that may block.
            DispatchQueue.global().async {
                self.database.writeWithoutTransaction { database in
                    while self.commitGroup(database) {}
                    _ = try? database.checkpoint(.truncate)
                }
                try? self.database.close()
                continuation.resume()
            }
        }
    }
}
