import Foundation

/// Where logins and the session are stored on this phone.
public enum StoreKind: Hashable, Sendable {
    /// In the Keychain: readable after the first unlock, on this device only, not synchronised. Extensions of the app
    /// that use the session have the same access group; nil means the app's own.
    case keychain(accessGroup: String?)
    /// In files below this folder, for this app only. The keys of a session are in the Secure Enclave anyway.
    case files(URL)
}
