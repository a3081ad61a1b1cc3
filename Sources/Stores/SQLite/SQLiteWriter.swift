/// The one that writes: takes all that waits into one transaction, so that logins at the same time share an fsync.
import Dispatch
import GRDB
import Logins
import Synchronization

final class SQLiteWriter: Sendable {
    private struct Waiting: Sendable {
        let write: SQLiteWrite
        let answer: CheckedContinuation<Result<Bool, StoreTrouble>, Never>
    }

    private let database: DatabasePool
    private let place: SQLitePlace
    private let open: OpenCounter
    private let troubles: TroubleRecord
    private let waiting = Mutex(WaitingWrites<Waiting>())
    private let committed = Atomic<Int>(0)

    init(_ database: DatabasePool, at place: SQLitePlace, open: OpenCounter, troubles: TroubleRecord) {
        self.database = database
        self.place = place
        self.open = open
        self.troubles = troubles
    }

    /// How many transactions have been committed.
    var commits: Int { self.committed.load(ordering: .relaxed) }

    /// How many writes wait for the next transaction.
    var waitingCount: Int { self.waiting.withLock { $0.count } }

    /// Returns when it is on the disk, or will never be. Who is patient lets the others go first.
    func perform(_ write: SQLiteWrite, isPatient: Bool = false) async throws(StoreError) -> Bool {
        let result: Result<Bool, StoreTrouble> = await withCheckedContinuation { continuation in
            let waiting = Waiting(write: write, answer: continuation)
            switch self.waiting.withLock({ $0.add(waiting, isPatient: isPatient) }) {
            case .begin: self.database.asyncWriteWithoutTransaction { self.commitOnce($0) }
            case .wait: break
            case .refuse(let trouble): continuation.resume(returning: .failure(trouble))
            }
        }
        switch result {
        case .success(let isDone): return isDone
        case .failure(let trouble):
            // Closed is no trouble: the process is about to end.
            if trouble != .closed { self.troubles.note(trouble) }
            throw .unavailable
        }
    }

    /// Goes to the end of the writer's queue after each transaction: a checkpoint has its turn too.
    private func commitOnce(_ database: Database) {
        guard self.commitGroup(database) else { return }
        self.database.asyncWriteWithoutTransaction { self.commitOnce($0) }
    }

    /// False when nothing waited.
    private func commitGroup(_ database: Database) -> Bool {
        let group = self.waiting.withLock { $0.next() }
        guard !group.isEmpty else { return false }
        do {
            guard self.place.isKept else { throw StoreTrouble.moved }
            var effects: [SQLiteWrite.Effect] = []
            try database.inTransaction(.immediate) {
                effects = try group.map { try $0.write.run(in: database) }
                return .commit
            }
            self.committed.add(1, ordering: .relaxed)
            self.open.add(effects.reduce(0) { $0 + $1.opened })
            self.troubles.note(nil)
            for (waiting, effect) in zip(group, effects) { waiting.answer.resume(returning: .success(effect.isDone)) }
        } catch {
            // Rolled back, all of it: none of them is done.
            let trouble = StoreTrouble(error)
            for waiting in group { waiting.answer.resume(returning: .failure(trouble)) }
        }
        return true
    }

    func truncateLog() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            self.database.asyncWriteWithoutTransaction { database in
                do { _ = try database.checkpoint(.truncate) } catch { self.troubles.note(StoreTrouble(error)) }
                continuation.resume()
            }
        }
    }

    func close() async {
        self.waiting.withLock { $0.close() }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // On a thread that may block; the database's own queue cannot close itself.
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
