/// The stores that the suite runs against; a new one is one more case.
import Logins
import Stores

enum StoreKind: String, CaseIterable, Sendable {
    case memory, sqlite

    /// A store of its own, with nothing in it.
    func withStore(_ body: (any LoginStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryLoginStore())
        case .sqlite:
            let folder = try Scratch()
            let store = try SQLiteLoginStore(path: folder.database)
            try await body(store)
            await store.close()
        }
    }
}
