import EventLoop
import KeyRing
import Logins
import Sessions
import Stores
import TestSupport

/// The stores that the suites test. Add a case for a new store.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, sqlite, postgresql

    static var allCases: [StoreKind] { [.memory, .sqlite] + (PostgresServer.isWanted ? [.postgresql] : []) }

    /// Calls `body` with a new, empty store.
    func withStore(_ body: (any LoginStore & SessionStore & KeyRingStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryLoginStore())
        case .sqlite:
            let folder = try Scratch()
            let store = try SQLiteLoginStore(path: folder.database)
            try await body(store)
            await store.close()
        case .postgresql:
            let stage = try PostgresStage()
            let store = try stage.store()
            try await body(store)
            await store.close()
        }
    }

    /// Calls `body` with a store that was closed. A store in memory cannot be.
    func withClosedStore(_ body: (any LoginStore & SessionStore & KeyRingStore) async throws -> Void) async throws {
        switch self {
        case .memory: return
        case .sqlite:
            let folder = try Scratch()
            let store = try SQLiteLoginStore(path: folder.database)
            await store.close()
            try await body(store)
        case .postgresql:
            let store = try PostgresStage().store()
            await store.close()
            try await body(store)
        }
    }
}
