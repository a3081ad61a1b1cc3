#if canImport(Security)
import Foundation
import Security

/// Stores saved logins in the Keychain, one item for each: on this device only, readable after the first unlock, not
/// synchronised, in no backup.
///
/// It exists on Apple's platforms only. `KeychainStores` makes one that also forgets what a former install left.
public actor KeychainSavedLoginStore: SavedLoginStore {
    private let items: KeychainItems

    /// Creates the store. Nil for `accessGroup` means the app's own.
    public init(service: String = "switchback.logins", accessGroup: String? = nil) {
        self.init(KeychainItems(service: service, accessGroup: accessGroup))
    }

    init(_ items: KeychainItems) { self.items = items }

    /// Replaces the login's item, or adds it.
    public func save(_ login: SavedLogin) async throws {
        try self.items.write(JSONEncoder().encode(login), login.id.uuidString)
    }

    /// Removes the login's item. It is no error when there is none.
    public func remove(_ id: SavedLogin.ID) async throws { try self.items.remove(id.uuidString) }

    /// Reads every item, and leaves out those that a newer version of the app may have written. Throws when none can be
    /// read, as before the first unlock.
    public func all() async throws -> [SavedLogin] {
        try self.items.accounts().compactMap { account in
            try self.items.read(account).flatMap { try? JSONDecoder().decode(SavedLogin.self, from: $0) }
        }
    }
}
#endif
