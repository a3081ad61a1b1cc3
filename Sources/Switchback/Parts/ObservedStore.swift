import Base
import Logins
import Sessions
import Telemetry

/// A store that measures the time of each operation for `/metrics`, and makes a span of it if it has a trace. All else
/// it leaves to the store inside.
struct ObservedStore: Sendable {
    private let logins: any LoginStore
    private let sessions: any SessionStore
    private let times: StoreTimes
    private let trace: StoreTrace?

    init(_ logins: any LoginStore, _ sessions: any SessionStore, _ times: StoreTimes, _ trace: StoreTrace?) {
        self.logins = logins
        self.sessions = sessions
        self.times = times
        self.trace = trace
    }

    /// An operation that asks no database gets no span, which would say nothing.
    nonisolated(nonsending) private func measure<Value>(
        _ operation: StoreTimes.Operation, asksDatabase: @autoclosure () -> Bool = true,
        _ work: nonisolated(nonsending) () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        guard let trace = self.trace, asksDatabase() else { return try await self.times.measure(operation, work) }
        return try await self.times.measure(operation) { () async throws(StoreError) in
            try await trace.span(operation, work)
        }
    }
}

extension ObservedStore: LoginStore {
    nonisolated(nonsending) func insert(
        _ row: SealedLogin, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        try await self.measure(.insert) { () async throws(StoreError) in
            try await self.logins.insert(row, noting: note)
        }
    }

    nonisolated(nonsending) func load(_ id: LoginID) async throws(StoreError) -> SealedLogin? {
        try await self.measure(.load, asksDatabase: !self.isInMemory(id)) { () async throws(StoreError) in
            try await self.logins.load(id)
        }
    }

    func isInMemory(_ id: LoginID) -> Bool { self.logins.isInMemory(id) }

    func recent(_ id: LoginID) -> SealedLogin? { self.logins.recent(id) }

    nonisolated(nonsending) func replace(
        _ row: SealedLogin, revision: Int64, noting note: NoteAddition?
    ) async throws(StoreError) -> Bool {
        try await self.measure(.replace) { () async throws(StoreError) in
            try await self.logins.replace(row, revision: revision, noting: note)
        }
    }

    /// Only an operator asks for notes, so nothing is measured.
    func notes(ofReference reference: String) async throws(StoreError) -> [StoredNote] {
        try await self.logins.notes(ofReference: reference)
    }

    func remove(_ id: LoginID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.measure(.remove) { () async throws(StoreError) in
            try await self.logins.remove(id, revision: revision)
        }
    }

    func loadDue(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedLogin] {
        try await self.measure(.loadDue) { () async throws(StoreError) in
            try await self.logins.loadDue(at: now, limit: limit)
        }
    }

    var processName: String { self.logins.processName }

    func takeAbandoned(dueBy: Timestamp) async throws(StoreError) -> AbandonedLogins {
        try await self.measure(.takeAbandoned) { () async throws(StoreError) in
            try await self.logins.takeAbandoned(dueBy: dueBy)
        }
    }

    func apply(_ change: SweepChange) async throws(StoreError) -> Bool {
        try await self.measure(.applySweep) { () async throws(StoreError) in try await self.logins.apply(change) }
    }

    nonisolated(nonsending) func openCount() async throws(StoreError) -> Int {
        try await self.measure(.count) { () async throws(StoreError) in try await self.logins.openCount() }
    }

    func probe() async throws(StoreError) {
        try await self.measure(.probe) { () async throws(StoreError) in try await self.logins.probe() }
    }

    func observeChanges(_ onChange: @escaping @Sendable (LoginID) -> Void) { self.logins.observeChanges(onChange) }
    func watch(_ id: LoginID) { self.logins.watch(id) }
    func unwatch(_ id: LoginID) { self.logins.unwatch(id) }
}

extension ObservedStore: SessionStore {
    nonisolated(nonsending) func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        try await self.measure(.insertSession) { () async throws(StoreError) in
            try await self.sessions.insertSession(row)
        }
    }

    nonisolated(nonsending) func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        try await self.measure(.loadSession) { () async throws(StoreError) in
            try await self.sessions.loadSession(id)
        }
    }

    nonisolated(nonsending) func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        try await self.measure(.replaceSession) { () async throws(StoreError) in
            try await self.sessions.replaceSession(row, revision: revision)
        }
    }

    func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        try await self.measure(.removeSession) { () async throws(StoreError) in
            try await self.sessions.removeSession(id, revision: revision)
        }
    }

    func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        try await self.measure(.listSessions) { () async throws(StoreError) in
            try await self.sessions.loadSessions(ofPersons: persons, after: last, limit: limit)
        }
    }

    func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.measure(.loadDueSessions) { () async throws(StoreError) in
            try await self.sessions.loadDueSessions(at: now, limit: limit)
        }
    }

    func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        try await self.measure(.listSessions) { () async throws(StoreError) in
            try await self.sessions.loadSessions(sealedBy: keyID, limit: limit)
        }
    }

    func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        try await self.measure(.countSessions) { () async throws(StoreError) in
            try await self.sessions.sessionCounts()
        }
    }
}
