import Base
import Sessions
import Synchronization

/// The sessions of the server. There are none until a configuration has keys for them.
final class ConfiguredSessions: Sendable {
    private let store: any SessionStore
    private let now: @Sendable () -> Timestamp
    private let observe: @Sendable (SessionEvent) -> Void
    private let current: Mutex<SessionFlow?>

    init(
        _ configuration: SessionConfiguration?, store: any SessionStore, now: @escaping @Sendable () -> Timestamp,
        observe: @escaping @Sendable (SessionEvent) -> Void
    ) {
        self.store = store
        self.now = now
        self.observe = observe
        self.current = Mutex(configuration.map { SessionFlow($0, store: store, now: now, observe: observe) })
    }

    var flow: SessionFlow? { self.current.withLock { $0 } }

    /// Returns the sessions for a server with this configuration. It changes nothing yet.
    func flow(under configuration: SessionConfiguration?) -> SessionFlow? {
        configuration.map {
            self.flow ?? SessionFlow($0, store: self.store, now: self.now, observe: self.observe)
        }
    }

    /// Uses what `flow(under:)` returned.
    func replace(with flow: SessionFlow?, under configuration: SessionConfiguration?) {
        if let configuration { flow?.replaceConfiguration(with: configuration) }
        self.current.withLock { $0 = flow }
    }
}
