#if canImport(Security)
import Foundation
import Security

/// Stores a session in the Keychain: on this device only, readable after the first unlock, not synchronised, in no
/// backup.
///
/// It exists on Apple's platforms only. `KeychainStores` makes one that also forgets what a former install left.
public actor KeychainSessionStorage: SessionStorage {
    private let items: KeychainItems
    private let account: String

    /// Creates the storage. Use one `account` for each user of the phone. Nil for `accessGroup` means the app's own.
    public init(service: String = "switchback", account: String = "session", accessGroup: String? = nil) {
        self.init(KeychainItems(service: service, accessGroup: accessGroup), account: account)
    }

    init(_ items: KeychainItems, account: String) { (self.items, self.account) = (items, account) }

    /// Reads the item. Nil when there is none.
    public func load() async throws -> SavedSession? {
        try self.items.read(self.account).map { try JSONDecoder().decode(SavedSession.self, from: $0) }
    }

    /// Replaces the item, or adds it.
    public func save(_ session: SavedSession) async throws {
        try self.items.write(JSONEncoder().encode(session), self.account)
    }
}
#endif
