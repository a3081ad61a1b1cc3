import Foundation
import Logins
import Sessions
import Synchronization

/// Many writers of sessions at once, each with sessions of its own: it begins them and then keeps changing them.
final class SessionWriters: Sendable {
    static let count = 16

    private let store: any SessionStore
    /// The last acknowledged revision of each session.
    private let acknowledged = Mutex<[Int: Int64]>([:])
    private let total = Atomic(0)
    private let isStopped = Atomic(false)

    init(_ store: any SessionStore) { self.store = store }

    /// The row that a writer stores under this number at this revision.
    static func row(_ number: Int, _ revision: Int64) throws -> SealedSession {
        try SessionStoreConformanceTests.row(
            number, revision: revision, person: UInt8(truncatingIfNeeded: number),
            bytes: Array("session \(number) at \(revision)".utf8) + Array(repeating: UInt8(number % 251), count: 700))
    }

    /// How many changes were acknowledged.
    var changes: Int { self.total.load(ordering: .relaxed) }

    /// The last acknowledged revisions, at some time.
    var books: [Int: Int64] { self.acknowledged.withLock { $0 } }

    func stop() { self.isStopped.store(true, ordering: .relaxed) }

    /// Writes until it is stopped, or until `noted` returns false. It is called after each acknowledgement, with the
    /// session, its revision and the number of acknowledgements.
    ///
    /// Each writer has two sessions and changes the second one only after the first, so that a copy shows whether it is
    /// of one moment.
    func run(_ noted: @escaping @Sendable (Int, Int64, Int) -> Bool = { _, _, _ in true }) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<Self.count {
                group.addTask {
                    for revision in 1... as PartialRangeFrom<Int64> {
                        for number in [2 * writer, 2 * writer + 1] {
                            guard !self.isStopped.load(ordering: .relaxed), try await self.write(number, revision),
                                noted(number, revision, self.note(number, revision))
                            else { return }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func write(_ number: Int, _ revision: Int64) async throws -> Bool {
        let row = try Self.row(number, revision)
        return revision == 1
            ? try await self.store.insertSession(row)
            : try await self.store.replaceSession(row, revision: revision - 1)
    }

    private func note(_ number: Int, _ revision: Int64) -> Int {
        self.acknowledged.withLock { $0[number] = revision }
        return self.total.add(1, ordering: .relaxed).newValue
    }
}

/// What a restored copy must have: nothing that was acknowledged before the copy is missing, nothing is from after it,
/// and all of it is from one moment.
struct CopyCheck {
    let before: [Int: Int64]
    let after: [Int: Int64]

    /// Returns what is wrong.
    func problems(in store: any SessionStore) async throws -> [String] {
        var problems: [String] = []
        for writer in 0..<SessionWriters.count {
            var revisions: [Int64] = []
            for number in [2 * writer, 2 * writer + 1] {
                let row = try await store.loadSession(try SessionWriters.row(number, 1).id)
                let revision = row?.revision ?? 0
                // One more than acknowledged may be committed.
                if revision < self.before[number] ?? 0 || revision > (self.after[number] ?? 0) + 1 {
                    problems.append("session \(number) has revision \(revision)")
                }
                if let row, row != (try SessionWriters.row(number, revision)) {
                    problems.append("session \(number) is not whole")
                }
                revisions.append(revision)
            }
            if !(0...1).contains(revisions[0] - revisions[1]) {
                problems.append("writer \(writer) was copied at two moments: \(revisions)")
            }
        }
        return problems
    }
}
