import Base
import Logins
import Synchronization
import TestSupport

@testable import Sessions

/// A store of sessions in memory. If a test wants it, it has conflicts and fails, before or after a write.
final class TestStore: SessionStore {
    private struct Contents {
        var rows: [SessionID: SealedSession] = [:]
        var writes = 0
        var dice = SplitMix64(seed: 0)
        /// In how many of a hundred calls something goes wrong.
        var faults = 0
    }

    /// What another server does before one of the next calls.
    private struct Interruption {
        var callsBefore: Int
        let run: @Sendable () async -> Void
    }

    private let contents = Mutex(Contents())
    private let interruption = Mutex<Interruption?>(nil)

    init(seed: UInt64 = 0, faults: Int = 0) {
        self.contents.withLock { contents in
            contents.dice = SplitMix64(seed: seed)
            contents.faults = faults
        }
    }

    var rows: [SealedSession] {
        get { self.contents.withLock { Array($0.rows.values) } }
        set { self.contents.withLock { $0.rows = Dictionary(uniqueKeysWithValues: newValue.map { ($0.id, $0) }) } }
    }

    /// How many writes have changed a row.
    var writes: Int { self.contents.withLock { $0.writes } }

    /// Runs `run` once, before the call that comes after `calls` others.
    func interrupt(after calls: Int, _ run: @escaping @Sendable () async -> Void) {
        self.interruption.withLock { $0 = Interruption(callsBefore: calls, run: run) }
    }

    /// Returns whether the interruption has happened. If not, it never will.
    func takeInterruption() -> Bool {
        self.interruption.withLock { pending in
            defer { pending = nil }
            return pending == nil
        }
    }

    nonisolated(nonsending) private func meetInterruption() async {
        let run = self.interruption.withLock { pending -> (@Sendable () async -> Void)? in
            guard let next = pending, next.callsBefore == 0 else {
                pending?.callsBefore -= 1
                return nil
            }
            pending = nil
            return next.run
        }
        await run?()
    }

    /// Runs a call, with a fault now and then: it fails before the change or after it, so that nobody knows whether it
    /// happened, or another writer was faster.
    private func call<Result: Sendable>(
        conflict: Result? = nil, _ body: (inout [SessionID: SealedSession]) -> Result
    ) throws(StoreError) -> Result {
        let result: Result? = self.contents.withLock { contents in
            guard Int.random(in: 0..<100, using: &contents.dice) < contents.faults else {
                return Self.run(&contents, body)
            }
            switch Int.random(in: 0..<3, using: &contents.dice) {
            case 0: return nil
            case 1:
                _ = Self.run(&contents, body)
                return nil
            default: return conflict ?? Self.run(&contents, body)
            }
        }
        guard let result else { throw .unavailable }
        return result
    }

    private static func run<Result>(
        _ contents: inout Contents, _ body: (inout [SessionID: SealedSession]) -> Result
    ) -> Result {
        let before = contents.rows
        let result = body(&contents.rows)
        if contents.rows != before { contents.writes += 1 }
        return result
    }

    nonisolated(nonsending) func insertSession(_ row: SealedSession) async throws(StoreError) -> Bool {
        await self.meetInterruption()
        return try self.call { rows in
            guard rows[row.id] == nil else { return false }
            rows[row.id] = row
            return true
        }
    }

    nonisolated(nonsending) func loadSession(_ id: SessionID) async throws(StoreError) -> SealedSession? {
        await self.meetInterruption()
        return try self.call { $0[id] }
    }

    nonisolated(nonsending) func replaceSession(
        _ row: SealedSession, revision: Int64
    ) async throws(StoreError) -> Bool {
        await self.meetInterruption()
        return try self.call(conflict: false) { rows in
            guard rows[row.id]?.revision == revision else { return false }
            rows[row.id] = row
            return true
        }
    }

    func removeSession(_ id: SessionID, revision: Int64) async throws(StoreError) -> Bool {
        await self.meetInterruption()
        return try self.call(conflict: false) { rows in
            guard rows[id]?.revision == revision else { return false }
            rows[id] = nil
            return true
        }
    }

    func loadSessions(
        ofPersons persons: [[UInt8]], after last: SessionID?, limit: Int
    ) async throws(StoreError) -> [SealedSession] {
        await self.meetInterruption()
        return try self.call { rows in
            let found = rows.values.filter { row in persons.contains(row.person) && last.map { $0 < row.id } ?? true }
            return Array(found.sorted { $0.id < $1.id }.prefix(limit))
        }
    }

    func loadDueSessions(at now: Timestamp, limit: Int) async throws(StoreError) -> [SealedSession] {
        await self.meetInterruption()
        return try self.call { rows in
            Array(rows.values.filter { $0.due <= now }.sorted { $0.due < $1.due }.prefix(limit))
        }
    }

    func loadSessions(sealedBy keyID: [UInt8], limit: Int) async throws(StoreError) -> [SealedSession] {
        await self.meetInterruption()
        return try self.call { rows in
            Array(rows.values.filter { $0.keyID == keyID && !$0.person.isEmpty }.prefix(limit))
        }
    }

    func sessionCounts() async throws(StoreError) -> [(keyID: [UInt8], count: Int)] {
        await self.meetInterruption()
        return try self.call { rows in
            Dictionary(grouping: rows.values, by: \.keyID).map { (keyID: $0.key, count: $0.value.count) }
        }
    }
}
