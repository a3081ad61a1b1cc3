import Base
import Logins
import Sessions
import Telemetry

/// A store that measures the time of each operation for `/metrics`. All else it leaves to the store inside.
struct TimedStore: Sendable {
    private let logins: any LoginStore
    private let sessions: any SessionStore
    private let times: StoreTimes

    init(_ logins: any LoginStore, _ sessions: any SessionStore, _ times: StoreTimes) {
        self.logins = logins
        self.sessions = sessions
        self.times = times
    }
}

extension TimedStore: LoginStore {
    nonisolated(nonsending) func insert(_ row: SealedLogin) async throws(StoreError) -> Bool {
        try await self.times.measure(.insert) { () async throws(StoreError) in try await self.logins.insert(row) }
    }

    nonisolated(nonsending) func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try await self.times.measure(.load) { () async throws(StoreError) in try await self.logins.load(id) }
    }

    func recent(_ id: LoginID) -> SealedLogin? { self.logins.recent(id) }

    nonisolated(nonsending) func replace(_ row: SealedLogin, revision: Int64) async throws(StoreError) -> Bool {
        try await self.times.measure(.replace) { () async throws(StoreError) in
            try await self.logins.replace(row, revision: revision)
        }
    }

    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.times.measure(.remove) { () async throws(StoreError) in
            try await self.logins.remove(id, revision: revision)
        }
    }

    func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try await self.times.measure(.loadDue) { () async throws(StoreError) in
            try await self.logins.loadDue(at: now, limit: limit)
        }
    }

    var processName: String { self.logins.processName }

    func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins {
        try await self.times.measure(.takeAbandoned) { () async throws(StoreError) in
            try await self.logins.takeAbandoned(dueBy: dueBy)
        }
    }

    func apply(_ change: SweepChange) async throws(StoreError) -> Bool {
        try await self.times.measure(.applySweep) { () async throws(StoreError) in try await self.logins.apply(change) }
    }

    nonisolated(nonsending) func openCount() async throws(StoreError) -> Int {
        try await self.times.measure(.count) { () async throws(StoreError) in try await self.logins.openCount() }
    }

    func probe() async throws(StoreError) {
        try await self.times.measure(.probe) { () async throws(StoreError) in try await self.logins.probe() }
    }

    func observeChanges(_ onChange: @escaping @Sendable (LoginID) -> Void) { self.logins.observeChanges(onChange) }
    func watch(_ id: LoginID) { self.logins.watch(id) }
    func unwatch(_ id: LoginID) { self.logins.unwatch(id) }
}

extension TimedStore: SessionStore {
    nonisolated(nonsending) func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        try await self.times.measure(.insertSession) { () async throws(StoreError) in
            try await self.sessions.insertSession(row)
        }
    }

    nonisolated(nonsending) func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        try await self.times.measure(.loadSession) { () async throws(StoreError) in
            try await self.sessions.loadSession(id)
        }
    }

    nonisolated(nonsending) func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        try await self.times.measure(.replaceSession) { () async throws(StoreError) in
            try await self.sessions.replaceSession(row, revision: revision)
        }
    }

    func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.times.measure(.removeSession) { () async throws(StoreError) in
            try await self.sessions.removeSession(id, revision: revision)
        }
    }

    func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        try await self.times.measure(.listSessions) { () async throws(StoreError) in
            try await self.sessions.loadSessions(ofPersons: persons, after: last, limit: limit)
        }
    }

    func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.times.measure(.loadDueSessions) { () async throws(StoreError) in
            try await self.sessions.loadDueSessions(at: now, limit: limit)
        }
    }

    func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.times.measure(.listSessions) { () async throws(StoreError) in
            try await self.sessions.loadSessions(sealedBy: keyID, limit: limit)
        }
    }

    func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        try await self.times.measure(.countSessions) { () async throws(StoreError) in
            try await self.sessions.sessionCounts()
        }
    }
}
