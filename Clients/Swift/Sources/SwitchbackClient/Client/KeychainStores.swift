#if canImport(Security)
import Foundation
import Security

/// What an app stores in the Keychain: its logins, its session, and the session's keys.
///
/// The Keychain outlives the app, so the first access after an install deletes what a former install left. Extensions
/// never delete anything. It exists on Apple's platforms only.
public struct KeychainStores: Sendable {
    /// The logins that are under way.
    public let logins: any SavedLoginStore
    /// The session.
    public let session: any SessionStorage
    /// The session's keys, in the Secure Enclave.
    public let keys: any SessionKeyStore
    private let items: KeychainItems

    /// Creates the stores for an app by its name in the server's configuration. Use one `account` for each user of the
    /// phone. An extension that uses the session has the same `accessGroup`; nil means the app's own.
    public init(app: String, account: String = "session", accessGroup: String? = nil) {
        let service = "switchback.\(app)"
        let keys = SecureEnclaveKeys(prefix: service, accessGroup: accessGroup)
        var sessions = KeychainItems(service: service, accessGroup: accessGroup)
        var logins = KeychainItems(service: "\(service).logins", accessGroup: accessGroup)
        let formerInstall = FormerInstall(
            file: Self.file(app: app), isExtension: Bundle.main.bundleURL.pathExtension == "appex"
        ) { [sessions, logins] in
            // A key is useless without the session's item, so one that stays harms nobody.
            try? keys.removeAll()
            try sessions.removeAll()
            try logins.removeAll()
        }
        sessions.prepare = { try formerInstall.clean() }
        logins.prepare = { try formerInstall.clean() }
        self.items = logins
        self.keys = keys
        self.session = KeychainSessionStorage(sessions, account: account)
        self.logins = KeychainSavedLoginStore(logins)
    }

    /// Writes an item, reads it and removes it. Throws what the Keychain says if the app cannot use it, such as an access
    /// group that its entitlements lack.
    public func check() throws {
        let (account, bytes) = ("check.\(UUID().uuidString)", Data("check".utf8))
        try self.items.write(bytes, account)
        let copy = try self.items.read(account)
        try self.items.remove(account)
        if copy != bytes { throw KeychainFailure(status: Int(errSecItemNotFound)) }
    }

    /// Nil without a folder that lasts: a marker that the system removes would sign users out.
    private static func file(app: String) -> URL? {
        let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        return support?.appendingPathComponent("Switchback", isDirectory: true)
            .appendingPathComponent("Installed.\(Base64URL.encode(Array(app.utf8)))")
    }
}
#endif
