import Base
import EventLoop
import KeyRing
import Logging
import Logins
import Preflight
import ServerConfiguration
import Sessions
import Stores
import Telemetry

/// The open store of a configuration, with its maintenance besides keeping logins.
struct ConfiguredStore: Sendable {
    let logins: any LoginStore
    /// The same store, which keeps the sessions too.
    let sessions: any SessionStore
    /// The same store, which keeps the ring of keys.
    let keyRing: any KeyRingStore
    /// Returns how many logins are pending, without a request to the store.
    let pending: @Sendable () -> Int
    /// Returns what its pool of connections does. Nil if it has none.
    let load: @Sendable () -> PoolLoad?
    /// Runs with each sweep.
    let tidy: @Sendable (Timestamp) async -> Void
    let close: @Sendable () async -> Void
    /// Applies those settings of a new configuration that can change while the store is open.
    let renew: @Sendable (Configuration) -> Void

    /// The same stores, whose operations are timed, and are spans too if there is a trace.
    func observed(_ times: StoreTimes, _ trace: StoreTrace?) -> ObservedStore {
        ObservedStore(self.logins, self.sessions, times, trace)
    }

    /// Throws why the store cannot be opened, in a message for an operator.
    init(_ configuration: Configuration, loop: EventLoop, logger: Logger) throws {
        switch configuration.store {
        case .memory:
            let store = MemoryLoginStore()
            self.init(store, pending: { store.open }, tidy: { _ in }, close: {})
            logger.info("store", metadata: ["store": "memory"])
        case .sqlite:
            let path = configuration.sqlitePath
            let store = try SQLiteLoginStore(path: path) { Self.report($0, to: logger) }
            self.init(
                store, pending: { store.open }, tidy: { await store.tidy(at: $0) },
                close: { await store.close() })
            logger.info(
                "store", metadata: ["store": "sqlite", "file": "\(path)", "pending": .stringConvertible(store.open)])
            if let concern = StoreLocation.concern(ofFile: path) {
                logger.warning("store_not_durable", metadata: ["file": "\(path)", "reason": "\(concern)"])
            }
        case .postgresql:
            guard let settings = configuration.postgresql else {
                preconditionFailure("a checked configuration has a URL for this store")
            }
            let address = try settings.address
            let store = try PostgresLoginStore(settings, on: loop, knowsKeyRing: !configuration.keys.automatic.isEmpty)
            {
                Self.report($0, to: logger)
            }
            self.init(
                store, pending: { store.reportedOpen }, load: { store.load }, tidy: { await store.tidy(at: $0) },
                close: { await store.close() },
                renew: { $0.postgresql.map { store.replacePasswords(with: $0) } })
            logger.info("store", metadata: ["store": "postgresql", "database": "\(address)"])
        }
    }

    private init(
        _ store: some LoginStore & SessionStore & KeyRingStore, pending: @escaping @Sendable () -> Int,
        load: @escaping @Sendable () -> PoolLoad? = { nil },
        tidy: @escaping @Sendable (Timestamp) async -> Void,
        close: @escaping @Sendable () async -> Void,
        renew: @escaping @Sendable (Configuration) -> Void = { _ in }
    ) {
        self.logins = store
        self.sessions = store
        self.keyRing = store
        self.pending = pending
        self.load = load
        self.tidy = tidy
        self.close = close
        self.renew = renew
    }

    private static func report(_ trouble: StorageError?, to logger: Logger) {
        if let trouble {
            logger.error("store_failed", metadata: ["reason": "\(trouble)"])
        } else {
            logger.notice("store_recovered")
        }
    }
}
