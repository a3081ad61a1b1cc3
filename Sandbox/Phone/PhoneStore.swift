import Foundation
import SwitchbackClient
import Synchronization

/// What one phone keeps of its logins when its app is killed: bytes, as in a file.
final class PhoneStore: SavedLoginStore, Sendable {
    private let files = Mutex<[SavedLogin.ID: Data]>([:])
    private let removed: @Sendable () -> Void

    /// `removed` is called after each login that leaves the store.
    init(removed: @escaping @Sendable () -> Void = {}) { self.removed = removed }

    func save(_ login: SavedLogin) async throws {
        let bytes = try JSONEncoder().encode(login)
        self.files.withLock { $0[login.id] = bytes }
    }

    func remove(_ id: SavedLogin.ID) async throws {
        self.files.withLock { $0[id] = nil }
        self.removed()
    }

    func all() async throws -> [SavedLogin] {
        try self.files.withLock { Array($0.values) }.map { try JSONDecoder().decode(SavedLogin.self, from: $0) }
    }

    /// The secret of a login, which a session begins with. Nil if the store has no such login.
    func secret(of id: SavedLogin.ID) -> String? {
        let bytes = self.files.withLock { $0[id] }
        return bytes.flatMap { try? JSONDecoder().decode(Secret.self, from: $0) }?.secret
    }

    /// The one member of the file that the workbench reads.
    private struct Secret: Decodable {
        let secret: String
    }
}
