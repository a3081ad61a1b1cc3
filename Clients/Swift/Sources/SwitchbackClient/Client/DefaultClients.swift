// Clients with the dependencies that an app on Apple's platforms has, in one line.

#if canImport(Darwin)
import Foundation

extension LoginClient {
    /// Creates a client with a URLSession of its own. Logins are stored in the Keychain: a program on a Mac that is not
    /// signed has none, and passes a `FileSavedLoginStore`.
    ///
    /// `server` is the server's `public_url`, and `app` is the app's name in its configuration. `log` gets what the
    /// library does.
    public convenience init(server: URL, app: String, log: @escaping @Sendable (LogEvent) -> Void = { _ in }) {
        var dependencies = LoginClientDependencies.urlSession()
        dependencies.log = log
        self.init(
            server: server, app: app, store: KeychainStores(app: app).logins, dependencies: dependencies)
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
        let stores = KeychainStores(app: app, account: account)
        self.init(
            server: server, app: app, storage: stores.session, keys: stores.keys, dependencies: dependencies)
    }
}
#endif
