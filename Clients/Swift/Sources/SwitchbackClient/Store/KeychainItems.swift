#if canImport(Security)
import Foundation
import Security

/// The items of one service in the Keychain: on this device only, readable after the first unlock, not synchronised, in
/// no backup. Logins and sessions are stored in them.
struct KeychainItems: Sendable {
    let service: String
    /// Nil means the app's own: the first of its groups for a new item, and all of them for the others.
    let accessGroup: String?
    /// It is called before each access, and throws if the Keychain must not be used now.
    var prepare: @Sendable () throws -> Void = {}

    /// Returns an item; nil if there is none.
    func read(_ account: String) throws -> Data? {
        try self.prepare()
        var query = self.query(account)
        query[kSecReturnData] = true
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { return nil }
        guard status == errSecSuccess, let bytes = item as? Data else { throw KeychainFailure(status: Int(status)) }
        return bytes
    }

    /// Returns the names of all items.
    func accounts() throws -> [String] {
        try self.prepare()
        var query = self.all
        query[kSecReturnAttributes] = true
        query[kSecMatchLimit] = kSecMatchLimitAll
        var item: CFTypeRef?
        let status = SecItemCopyMatching(query as CFDictionary, &item)
        guard status != errSecItemNotFound else { return [] }
        guard status == errSecSuccess, let items = item as? [[String: Any]] else {
            throw KeychainFailure(status: Int(status))
        }
        return items.compactMap { $0[kSecAttrAccount as String] as? String }
    }

    /// Replaces the item, or adds it.
    func write(_ bytes: Data, _ account: String) throws {
        try self.prepare()
        let query = self.query(account)
        let values: [CFString: Any] = [
            kSecValueData: bytes, kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
        ]
        var status = SecItemUpdate(query as CFDictionary, values as CFDictionary)
        if status == errSecItemNotFound {
            status = SecItemAdd(query.merging(values) { $1 } as CFDictionary, nil)
            // An extension of the app added it meanwhile.
            if status == errSecDuplicateItem { status = SecItemUpdate(query as CFDictionary, values as CFDictionary) }
        }
        guard status == errSecSuccess else { throw KeychainFailure(status: Int(status)) }
    }

    /// Removes the item. It is no error when there is none.
    func remove(_ account: String) throws {
        try self.prepare()
        try self.delete(self.query(account))
    }

    /// Removes all items, and does not call `prepare`, which may call this.
    func removeAll() throws { try self.delete(self.all) }

    private func delete(_ query: [CFString: Any]) throws {
        let status = SecItemDelete(query as CFDictionary)
        guard status == errSecSuccess || status == errSecItemNotFound else {
            throw KeychainFailure(status: Int(status))
        }
    }

    private func query(_ account: String) -> [CFString: Any] { self.all.merging([kSecAttrAccount: account]) { $1 } }

    private var all: [CFString: Any] {
        var query: [CFString: Any] = [
            kSecClass: kSecClassGenericPassword, kSecAttrService: self.service, kSecAttrSynchronizable: false,
            kSecUseDataProtectionKeychain: true,
        ]
        if let accessGroup { query[kSecAttrAccessGroup] = accessGroup }
        return query
    }
}
#endif
