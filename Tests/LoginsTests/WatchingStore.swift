import Base
import Logins
import Synchronization

/// Counts the watched logins, and stores nothing.
final class WatchingStore: LoginStore {
    private let count = Atomic<Int>(0)

    var watched: Int { self.count.load(ordering: .sequentiallyConsistent) }

    func watch(_ id: LoginID) { self.count.add(1, ordering: .sequentiallyConsistent) }
    func unwatch(_ id: LoginID) { self.count.subtract(1, ordering: .sequentiallyConsistent) }

    func insert(_ row: SealedLogin, noting note: NoteAddition?) async throws(StoreError) -> Bool { throw .unavailable }
    func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? { throw .unavailable }
    func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool { throw .unavailable }
    func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] { throw .unavailable }
    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool { throw .unavailable }
    func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] { throw .unavailable }
    func openCount() async throws(StoreError) -> Int { throw .unavailable }
}
