import Logins
import Synchronization

/// Whether this server accepts new logins. An outage of a broker does not matter, because other brokers may work.
final class Readiness: Sendable {
    private enum Phase {
        case starting, serving, stopping
    }

    private let phase = Mutex(Phase.starting)
    private let store: any LoginStore

    private let keys: ConfiguredKeyRing

    init(store: any LoginStore, keys: ConfiguredKeyRing) {
        self.store = store
        self.keys = keys
    }

    func begin() { self.phase.withLock { $0 = .serving } }
    func end() { self.phase.withLock { $0 = .stopping } }

    /// Returns why the server is not ready. Empty if it is.
    func findObstacles() async -> [String] {
        switch self.phase.withLock({ $0 }) {
        case .starting: return ["starting"]
        case .stopping: return ["stopping"]
        case .serving: break
        }
        do { try await self.store.probe() } catch { return ["the store cannot keep a login"] }
        return [self.keys.obstacle].compactMap(\.self)
    }
}
