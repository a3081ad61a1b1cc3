import Base
import Dispatch
import EventLoop
import Logins
import Sessions
import Synchronization

/// Opens the store as a server does, and does each kind of a server's work once, for `check --online`.
///
/// It works on rows that do not exist. So it changes only what each server does when it starts: it makes the partitions
/// that are due, and writes a row of each kind that it removes again.
package struct PostgresRehearsal: Sendable {
    /// Why a server would not be ready. Nil if it would be.
    package let obstacle: StorageError?
    /// Why a server would hear of no change by another server. Nil if it would, and with `wake: poll`.
    package let deafness: StorageError?

    /// The time for a connection that listens, its test notification, and the wait for that.
    private static let hearingTime = Duration.seconds(15)

    /// `loop` must run, and is free again when this returns. Throws if a server would end at its start.
    package init(_ settings: PostgresSettings, on loop: EventLoop) async throws(StoreOpeningError) {
        let trouble = Trouble()
        let store = try await Self.open(settings, on: loop, trouble).get()
        let obstacle = await Self.obstacle(to: store, trouble)
        self.obstacle = obstacle
        self.deafness =
            obstacle == nil && settings.wake == .notify ? await Self.deafness(of: store, trouble) : nil
        await store.close()
    }

    /// What the store reports for the log.
    private final class Trouble: Sendable {
        private let last = Mutex<StorageError?>(nil)

        var cause: StorageError? { self.last.withLock { $0 } }

        /// Keeps the last cause also after the store works again.
        func note(_ cause: StorageError?) {
            guard let cause else { return }
            self.last.withLock { $0 = cause }
        }
    }

    /// Opens it on a thread that may wait for unreachable hosts.
    private static func open(
        _ settings: PostgresSettings, on loop: EventLoop, _ trouble: Trouble
    ) async -> Result<PostgresLoginStore, StoreOpeningError> {
        var settings = settings
        settings.migrate = .off
        let currentSettings = settings
        return await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                let result = Result { () throws(StoreOpeningError) in
                    try PostgresLoginStore(currentSettings, on: loop) { trouble.note($0) }
                }
                continuation.resume(returning: result)
            }
        }
    }

    private static func obstacle(to store: PostgresLoginStore, _ trouble: Trouble) async -> StorageError? {
        do throws(StoreError) {
            try await store.probe()
            try await Self.workOnLogins(store)
            try await Self.workOnSessions(store)
            return nil
        } catch {
            return trouble.cause ?? .other("it does not respond")
        }
    }

    private static func workOnLogins(_ store: PostgresLoginStore) async throws(StoreError) {
        let now = WallClock.now()
        let row = SealedLogin(id: PollSecret.make().loginID, revision: 2, due: now, isOpen: false, bytes: [])
        _ = try await store.load(row.id)
        _ = try await store.replace(row, revision: 1)
        _ = try await store.remove(row.id, revision: 1)
        _ = try await store.loadDue(at: now, limit: 1)
        _ = try await store.openCount()
    }

    private static func workOnSessions(_ store: PostgresLoginStore) async throws(StoreError) {
        let now = WallClock.now()
        let row = SealedSession(
            id: SessionID(app: "", thumbprint: PollSecret.make().loginID.description), revision: 2, due: now,
            person: [], keyID: [], bytes: [])
        _ = try await store.loadSession(row.id)
        _ = try await store.replaceSession(row, revision: 1)
        _ = try await store.removeSession(row.id, revision: 1)
        _ = try await store.loadDueSessions(at: now, limit: 1)
        _ = try await store.loadSessions(ofPersons: [[]], after: nil, limit: 1)
        _ = try await store.loadSessions(sealedBy: [], limit: 1)
    }

    private static func deafness(of store: PostgresLoginStore, _ trouble: Trouble) async -> StorageError? {
        store.observeChanges { _ in }
        let end = ContinuousClock.now + Self.hearingTime
        while ContinuousClock.now < end {
            if store.hearsChanges { return nil }
            if let cause = trouble.cause { return cause }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return .other("no notification arrives")
    }
}
