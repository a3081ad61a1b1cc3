import Base
import Logins

/// A store of logins whose operations are spans. A sweep is not traced: it is about many logins.
package struct TracedLoginStore: LoginStore {
    private let store: any LoginStore
    private let trace: StoreTrace

    package init(_ store: any LoginStore, system: String) {
        self.store = store
        self.trace = StoreTrace(system: system, collection: "login")
    }

    nonisolated(nonsending) package func insert(_ row: SealedLogin) async throws(StoreError) -> Bool {
        try await self.trace.span("insert") { () async throws(StoreError) in try await self.store.insert(row) }
    }

    nonisolated(nonsending) package func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try await self.trace.span("load") { () async throws(StoreError) in try await self.store.load(id) }
    }

    package func recent(_ id: LoginID) -> SealedLogin? { self.store.recent(id) }

    nonisolated(nonsending) package func replace(
        _ row: SealedLogin, revision: Int64
    ) async throws(StoreError) -> Bool {
        try await self.trace.span("replace") { () async throws(StoreError) in
            try await self.store.replace(row, revision: revision)
        }
    }

    package func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.store.remove(id, revision: revision)
    }

    package func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try await self.store.loadDue(at: now, limit: limit)
    }

    package var processName: String { self.store.processName }

    package func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins {
        try await self.store.takeAbandoned(dueBy: dueBy)
    }

    package func apply(_ change: SweepChange) async throws(StoreError) -> Bool { try await self.store.apply(change) }

    nonisolated(nonsending) package func openCount() async throws(StoreError) -> Int {
        try await self.store.openCount()
    }

    package func probe() async throws(StoreError) { try await self.store.probe() }

    package func observeChanges(_ onChange: @escaping @Sendable (LoginID) -> Void) {
        self.store.observeChanges(onChange)
    }

    package func watch(_ id: LoginID) { self.store.watch(id) }

    package func unwatch(_ id: LoginID) { self.store.unwatch(id) }
}
