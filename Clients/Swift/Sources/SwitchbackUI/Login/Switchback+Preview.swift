// A library for previews of screens: it shows what it is told, and has no network, store or key.

import Foundation
import SwitchbackClient

extension Switchback {
    /// Returns a library that shows these states one after the other in every window, each for so many seconds, and stays
    /// at the last one. For previews of views, and for tests of them: nothing is sent or stored.
    public static func preview(
        _ states: [LoginProgress], seconds: Double = 2, configuration: SwitchbackConfiguration? = nil
    ) -> Switchback {
        let server = URL(fileURLWithPath: "/")
        let configuration = configuration ?? SwitchbackConfiguration(server: server, app: "preview")
        let dependencies = LoginClientDependencies { _ in throw URLError(.notConnectedToInternet) }
        let store = Nothing()
        let switchback = Switchback(
            configuration,
            client: LoginClient(
                server: configuration.server, app: configuration.app, store: store, dependencies: dependencies),
            session: SessionClient(
                server: configuration.server, app: configuration.app, storage: store, keys: store,
                dependencies: dependencies),
            opened: OpenedLogins(file: nil), probe: AppProbe { _ in false })
        guard let first = states.first else { return switchback }
        switchback.preview(first)
        Task { [weak switchback] in
            for state in states.dropFirst() {
                try? await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 3600)) * 1_000_000_000))
                switchback?.preview(state)
            }
        }
        return switchback
    }
}

/// A store that has nothing and keeps nothing.
private struct Nothing: SavedLoginStore, SessionStorage, SessionKeyStore {
    func save(_ login: SavedLogin) async throws {}
    func remove(_ id: SavedLogin.ID) async throws {}
    func all() async throws -> [SavedLogin] { [] }

    func load() async throws -> SavedSession? { nil }
    func save(_ session: SavedSession) async throws {}

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
