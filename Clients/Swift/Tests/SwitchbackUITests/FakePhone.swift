import Foundation

@testable import SwitchbackClient
@testable import SwitchbackTesting
@testable import SwitchbackUI

/// A phone with one server and a folder. Each `start` is a start of the app.
@MainActor final class FakePhone {
    let server = FakeServer()
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    private var client: LoginClient?

    deinit { try? FileManager.default.removeItem(at: self.folder) }

    func start() -> Switchback {
        self.client?.stop()
        let dependencies = self.server.dependencies
        let url = URL(string: "https://login.example") ?? self.folder
        let store = FileSavedLoginStore(folder: self.folder.appendingPathComponent("Logins"))
        let client = LoginClient(server: url, store: store, dependencies: dependencies)
        self.client = client
        let session = SessionClient(
            server: url, app: "demo", storage: FileSessionStorage(file: self.folder.appendingPathComponent("s")),
            keys: NoKeys(), dependencies: dependencies)
        return Switchback(
            SwitchbackConfiguration(server: url, app: "demo"), client: client, session: session,
            opened: OpenedLogins(file: self.folder.appendingPathComponent("opened.json")),
            probe: AppProbe(querySchemes: ["mitid"]) { $0.scheme == "mitid" }, languages: { ["da-DK"] })
    }

    /// Waits until something is so, and returns whether it came to be.
    static func eventually(_ condition: @MainActor () -> Bool) async -> Bool {
        for _ in 0..<12_000 {
            if condition() { return true }
            try? await Task.sleep(nanoseconds: 5_000_000)
        }
        return condition()
    }
}

/// Keys that cannot be made.
struct NoKeys: SessionKeyStore {
    func key(_ name: String) async throws(SessionKeyError) -> (any SessionKey)? { nil }
    func makeKey(_ name: String) async throws(SessionKeyError) -> any SessionKey { throw .unavailable }
    func wrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError) -> (any WrappingKey)? {
        nil
    }
    func makeWrappingKey(_ name: String, _ purpose: WrappingPurpose) async throws(SessionKeyError) -> any WrappingKey {
        throw .unavailable
    }
    func removeKeys(_ name: String) async {}
}

/// A window that opens nothing and keeps what it was told to open.
@MainActor final class FakeWindow: LoginWindow {
    let name: String
    let hasHTTPS: Bool
    /// Whether the e-ID's app is installed.
    var hasApp = true
    private(set) var openings: [BrowserOpening] = []
    private(set) var attempts: [String] = []
    private var ended: (@MainActor (BrowserEnd) -> Void)?

    init(_ name: String = "one", hasHTTPS: Bool = true) { (self.name, self.hasHTTPS) = (name, hasHTTPS) }

    var hasBrowser: Bool { self.ended != nil }

    func open(_ opening: BrowserOpening, ended: @escaping @MainActor (BrowserEnd) -> Void) {
        self.openings.append(opening)
        self.ended = ended
    }

    func open(_ attempt: AppLinks.Attempt) async -> Bool {
        self.attempts.append(attempt.url.absoluteString)
        return self.hasApp
    }

    func closeBrowser() { self.ended = nil }

    /// Ends the browser that is open.
    func end(_ end: BrowserEnd) {
        let ended = self.ended
        self.ended = nil
        ended?(end)
    }
}
