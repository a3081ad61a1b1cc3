#if canImport(Security)
import Foundation
import Security

/// Stores a session in the Keychain: on this device only, readable after the first unlock, in no backup.
///
/// It exists on Apple's platforms only.
public actor KeychainSessionStorage: SessionStorage {
    /// What the Keychain reported.
    public struct Failure: Error, Sendable {
        /// The number, such as `errSecInteractionNotAllowed`.
        public let status: Int
    }

    private let service: String
    private let account: String

    /// Creates the storage. Use one `account` for each user of the phone.
    public init(service: String = "switchback", account: String = "session") {
        self.service = service
        self.account = account
    }

    /// Reads the item. Nil when there is none.
    public func load() async throws -> SavedSession? {
        var query = self.query
        query[kSecReturnData] = true
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { return nil }
        guard status == errSecSuccess, let bytes = item as? Data else { throw Failure(status: Int(status)) }
        return try JSONDecoder().decode(SavedSession.self, from: bytes)
    }

    /// Replaces the item, or adds it.
    public func save(_ session: SavedSession) async throws {
        let values: [CFString: Any] = [
            kSecValueData: try JSONEncoder().encode(session),
            kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(self.query as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(self.query.merging(values) { $1 } as CFDictionary, nil)
        }
        guard status == errSecSuccess else { throw Failure(status: Int(status)) }
    }

    private var query: [CFString: Any] {
        [
            kSecClass: kSecClassGenericPassword, kSecAttrService: self.service, kSecAttrAccount: self.account,
            kSecUseDataProtectionKeychain: true,
        ]
    }
}
#endif
