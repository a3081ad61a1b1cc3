// Clients with the dependencies that an app on Apple's platforms has, in one line.

#if canImport(Darwin)
import Foundation

extension LoginClient {
    /// Creates a client with a URLSession of its own. Logins are stored in a folder below Application Support.
    ///
    /// `server` is the server's `public_url`, and `app` is the app's name in its configuration. `log` gets what the
    /// library does.
    public convenience init(server: URL, app: String, log: @escaping @Sendable (LogEvent) -> Void = { _ in }) {
        let folders = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)
        let support = folders.first ?? FileManager.default.temporaryDirectory
        var dependencies = LoginClientDependencies.urlSession()
        dependencies.log = log
        self.init(
            server: server, app: app,
            store: FileSavedLoginStore(folder: support.appendingPathComponent("Switchback/Logins", isDirectory: true)),
            dependencies: dependencies)
    }
}

extension SessionClient {
    /// Creates a client with a URLSession of its own, whose session is in the Keychain and whose keys are in the Secure
    /// Enclave.
    ///
    /// Use one `account` for each user of the phone.
    public convenience init(
        server: URL, app: String, account: String = "session", log: @escaping @Sendable (LogEvent) -> Void = { _ in }
    ) {
        var dependencies = LoginClientDependencies.urlSession()
        dependencies.log = log
        self.init(
            server: server, app: app, storage: KeychainSessionStorage(account: account), keys: SecureEnclaveKeys(),
            dependencies: dependencies)
    }
}
#endif
