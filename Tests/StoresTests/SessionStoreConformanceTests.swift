import Base
import Logins
import Sessions
import Testing

/// Every store must pass all these tests; they complete the contract of `SessionStore`.
@Suite struct SessionStoreConformanceTests {
    static let now = Timestamp(seconds: 5_000)

    static func row(
        _ number: Int, revision: Int64 = 1, due: Int = 60, person: UInt8 = 1, key: UInt8 = 1, bytes: [UInt8] = [1]
    ) throws -> SealedSession {
        let id = try #require(SessionID((0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }))
        return SealedSession(
            id: id, revision: revision, due: self.now + .seconds(due), person: Self.person(person),
            keyID: Self.key(key), bytes: bytes)
    }

    private static func ids(_ numbers: Int...) throws -> [SessionID] { try Self.ids(of: numbers) }
    private static func ids(of numbers: [Int]) throws -> [SessionID] { try numbers.map { try Self.row($0).id } }

    static func person(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 32) }
    static func key(_ number: UInt8) -> [UInt8] { Array(repeating: number, count: 8) }

    // MARK: - One row

    @Test(arguments: StoreKind.allCases) func `an ID is used once`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.insertSession(try Self.row(1)))
            #expect(try await store.insertSession(try Self.row(1, person: 2, bytes: [9])) == false)
            #expect(try await store.loadSession(try Self.row(1).id) == (try Self.row(1)))
            #expect(try await store.loadSession(try Self.row(2).id) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func `of many begins, one wins`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let winners = try await Self.winners(of: 50) { number in
                try await store.insertSession(try Self.row(1, bytes: [UInt8(number)]))
            }
            #expect(winners.count == 1)
            #expect(try await store.loadSession(try Self.row(1).id)?.bytes == winners.map { UInt8($0) })
        }
    }

    @Test(arguments: StoreKind.allCases) func `a row is replaced only at its revision`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.insertSession(try Self.row(1))
            #expect(try await store.replaceSession(try Self.row(1, revision: 3), revision: 2) == false)
            #expect(try await store.replaceSession(try Self.row(1, revision: 2, bytes: [2]), revision: 1))
            #expect(try await store.replaceSession(try Self.row(1, revision: 2, bytes: [3]), revision: 1) == false)
            #expect(try await store.loadSession(try Self.row(1).id)?.bytes == [2])
            #expect(try await store.replaceSession(try Self.row(7), revision: 1) == false, "there is none")
            #expect(try await store.loadSession(try Self.row(7).id) == nil)
        }
    }

    /// Each change of a PIN's tries is one replacement, so each must count once.
    @Test(arguments: StoreKind.allCases) func `of many writers, one wins`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.insertSession(try Self.row(1))
            for revision in 1...3 as ClosedRange<Int64> {
                let winners = try await Self.winners(of: 50) { number in
                    let next = try Self.row(1, revision: revision + 1, bytes: [UInt8(number)])
                    return try await store.replaceSession(next, revision: revision)
                }
                #expect(winners.count == 1)
                #expect(try await store.loadSession(try Self.row(1).id)?.bytes == winners.map { UInt8($0) })
            }
        }
    }

    /// A row is removed by who has read it last, or changed by somebody else, and never both.
    @Test(arguments: StoreKind.allCases)
    func `a removal and a change do not both succeed`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 0..<20 {
                let row = try Self.row(number)
                _ = try await store.insertSession(row)
                async let removed = store.removeSession(row.id, revision: 1)
                async let changed = store.replaceSession(try Self.row(number, revision: 2), revision: 1)
                let (isRemoved, isChanged) = try await (removed, changed)
                #expect(isRemoved != isChanged)
                #expect(try await store.loadSession(row.id)?.revision == (isChanged ? 2 : nil))
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func `a removed ID can be used again`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.insertSession(try Self.row(1, revision: 4)))
            #expect(try await store.removeSession(try Self.row(1).id, revision: 3) == false)
            #expect(try await store.removeSession(try Self.row(1).id, revision: 4))
            #expect(try await store.removeSession(try Self.row(1).id, revision: 4) == false)
            #expect(try await store.loadSession(try Self.row(1).id) == nil)
            #expect(try await store.replaceSession(try Self.row(1, revision: 5), revision: 4) == false)
            #expect(try await store.insertSession(try Self.row(1)))
            #expect(try await store.loadDueSessions(at: Self.now + .seconds(60), limit: 9) == [try Self.row(1)])
        }
    }

    /// A revision may be any number, a column or the bytes empty or large, and a timestamp may have the maximum value.
    @Test(arguments: StoreKind.allCases) func `a row is read back as it was`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let values = [
                (Int64.max, Timestamp(milliseconds: .max), [] as [UInt8], [] as [UInt8]),
                (.min, Timestamp(milliseconds: .max - 1), [0], Array("it's a \"quote\", \\x00".utf8)),
                (0, Self.now + .milliseconds(1), Array(repeating: 0xFF, count: 200_000), Self.key(0)),
                (1, Self.now, Array(0...255), Self.key(0xFF)),
            ]
            for (number, (revision, due, bytes, column)) in values.enumerated() {
                let id = try Self.row(number).id
                let row = SealedSession(
                    id: id, revision: revision, due: due, person: column, keyID: column, bytes: bytes)
                #expect(try await store.insertSession(row))
                #expect(try await store.loadSession(id) == row)
                #expect(try await store.loadSessions(ofPersons: [column], after: nil, limit: 9) == [row])
            }
        }
    }

    /// Each call sees what an earlier call was told, on whatever connection it runs.
    @Test(arguments: StoreKind.allCases) func `what is written is seen at once`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        _ = try await store.insertSession(try Self.row(number))
                        for revision in 1..<10 as Range<Int64> {
                            let next = try Self.row(number, revision: revision + 1, bytes: [UInt8(revision)])
                            #expect(try await store.replaceSession(next, revision: revision))
                            #expect(try await store.loadSession(next.id) == next)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.loadSessions(ofPersons: [Self.person(1)], after: nil, limit: 99).count == 40)
        }
    }

    // MARK: - Many rows

    /// Page after page, each row is found once.
    @Test(arguments: StoreKind.allCases)
    func `the pages of a user are all the user's rows`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let numbers = Array(0..<23)
            for number in numbers.shuffled() {
                _ = try await store.insertSession(try Self.row(number * 37, person: UInt8(number % 3)))
            }
            let theirs = numbers.filter { $0 % 3 != 1 }.map { $0 * 37 }
            for size in [1, 2, 7, 14, 15, 16, 99] {
                var found: [SessionID] = []
                while true {
                    let page = try await store.loadSessions(
                        ofPersons: [0, 2].map(Self.person), after: found.last, limit: size)
                    #expect(page.count <= size)
                    guard !page.isEmpty else { break }
                    found += page.map(\.id)
                }
                #expect(try found == Self.ids(of: theirs).sorted(), "pages of \(size)")
            }
        }
    }

    /// The persons that are asked for, and the rows that are found.
    @Test(arguments: StoreKind.allCases) func `a user is found by each value`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for (number, person) in [1, 1, 2, 3, 3, 3].enumerated() {
                _ = try await store.insertSession(try Self.row(number, person: UInt8(person)))
            }
            let table: [([UInt8], [Int])] = [
                ([1], [0, 1]), ([2], [2]), ([1, 2], [0, 1, 2]), ([2, 1, 2], [0, 1, 2]), ([3, 9], [3, 4, 5]), ([9], []),
                ([], []),
            ]
            for (persons, expected) in table {
                let found = try await store.loadSessions(ofPersons: persons.map(Self.person), after: nil, limit: 9)
                #expect(try Set(found.map(\.id)) == Set(Self.ids(of: expected)), "\(persons)")
                #expect(found.count == expected.count, "each once")
            }
            for limit in 0...6 {
                let found = try await store.loadSessions(ofPersons: [1, 3].map(Self.person), after: nil, limit: limit)
                #expect(found.count == min(limit, 5) && Set(found.map(\.id)).count == found.count)
            }
            #expect(try await store.loadSessions(ofPersons: [Self.person(1)], after: nil, limit: -1) == [])
            // The row has another value now, as after a change of the key, and another row is gone.
            #expect(try await store.replaceSession(try Self.row(0, revision: 2, person: 2), revision: 1))
            #expect(try await store.removeSession(try Self.row(2).id, revision: 1))
            for (person, expected) in [(1, 1), (2, 0)] {
                let found = try await store.loadSessions(ofPersons: [Self.person(UInt8(person))], after: nil, limit: 9)
                #expect(try found.map(\.id) == Self.ids(expected))
            }
        }
    }

    @Test(arguments: StoreKind.allCases)
    func `the row that is longest due comes first`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for (number, due) in [30, 10, 20, 40].enumerated() {
                _ = try await store.insertSession(try Self.row(number, due: due))
            }
            func due(_ seconds: Int, limit: Int = 9) async throws -> [SealedSession] {
                try await store.loadDueSessions(at: Self.now + .seconds(seconds), limit: limit)
            }
            #expect(try await due(9) == [])
            #expect(try await due(10).map(\.id) == Self.ids(1))
            #expect(try await due(35).map(\.id) == Self.ids(1, 2, 0))
            #expect(try await due(35, limit: 2).map(\.id) == Self.ids(1, 2))
            #expect(try await due(35, limit: 0) == [])
            #expect(try await due(35, limit: -1) == [])
            // Moved to a later time, and back.
            #expect(try await store.replaceSession(try Self.row(1, revision: 2, due: 90), revision: 1))
            #expect(try await due(35).map(\.id) == Self.ids(2, 0))
            #expect(try await store.replaceSession(try Self.row(1, revision: 3, due: 10), revision: 2))
            #expect(try await due(35).map(\.id) == Self.ids(1, 2, 0), "each once")
            #expect(try await store.removeSession(try Self.row(2).id, revision: 1))
            #expect(try await due(99).map(\.id) == Self.ids(1, 0, 3))
            // The clock has stepped back, and a new row is due earlier than all others.
            _ = try await store.insertSession(try Self.row(4, due: 5))
            #expect(try await due(7).map(\.id) == Self.ids(4))
        }
    }

    @Test(arguments: StoreKind.allCases) func `a sweep in slices comes to an end`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 0..<200 { _ = try await store.insertSession(try Self.row(number, due: number % 7)) }
            var removed = 0
            while true {
                let slice = try await store.loadDueSessions(at: Self.now + .seconds(60), limit: 16)
                #expect(slice.count <= 16)
                guard !slice.isEmpty else { break }
                for row in slice where try await store.removeSession(row.id, revision: row.revision) { removed += 1 }
            }
            #expect(removed == 200)
            #expect(try await store.sessionCounts().isEmpty)
        }
    }

    /// As a sweep does after a change of the session key.
    @Test(arguments: StoreKind.allCases) func `every row is sealed again`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 0..<30 { _ = try await store.insertSession(try Self.row(number, key: UInt8(number % 3))) }
            #expect(try await Self.counts(store) == [Self.key(0): 10, Self.key(1): 10, Self.key(2): 10])
            let (newest, former) = (Self.key(1), Self.key(2))
            #expect(try await store.loadSessions(sealedBy: former, limit: 99).count == 10)
            #expect(try await store.loadSessions(sealedBy: Self.key(7), limit: 99) == [])
            // A tombstone that leads to nobody is not sealed again, but it counts.
            let nobody = SealedSession(
                id: try Self.row(99).id, revision: 1, due: Self.now, person: [], keyID: Self.key(9), bytes: [1])
            #expect(try await store.insertSession(nobody))
            #expect(try await store.loadSessions(sealedBy: Self.key(9), limit: 99) == [])
            #expect(try await store.sessionCounts().first { $0.keyID == Self.key(9) }?.count == 1)
            #expect(try await store.removeSession(nobody.id, revision: 1))
            #expect(try await store.loadSessions(sealedBy: former, limit: 0) == [])
            #expect(try await store.loadSessions(sealedBy: former, limit: -1) == [])
            var sealed = 0
            while true {
                let slice = try await store.loadSessions(sealedBy: former, limit: 8)
                #expect(slice.count <= 8 && Set(slice.map(\.id)).count == slice.count)
                #expect(slice.allSatisfy { $0.keyID == former })
                guard !slice.isEmpty else { break }
                for row in slice {
                    let next = SealedSession(
                        id: row.id, revision: 2, due: row.due, person: row.person, keyID: newest, bytes: [2])
                    if try await store.replaceSession(next, revision: 1) { sealed += 1 }
                }
            }
            #expect(sealed == 10)
            #expect(try await Self.counts(store) == [Self.key(0): 10, newest: 20])
        }
    }

    // MARK: - Beside the logins

    /// A session may have the bytes of a login's id. Neither sees the other.
    @Test(arguments: StoreKind.allCases) func `a session and a login may have the same ID`(_ kind: StoreKind)
        async throws
    {
        try await kind.withStore { store async throws in
            let (login, session) = (try StoreConformanceTests.row(1), try Self.row(0x0101_0101))
            #expect(login.id.bytes == session.id.bytes)
            #expect(try await store.insert(login))
            #expect(try await store.load(login.id) == login)
            #expect(try await store.loadSession(session.id) == nil)
            #expect(try await store.insertSession(session))
            #expect(try await store.openCount() == 1)
            #expect(try await store.remove(login.id, revision: 1))
            #expect(try await store.loadSession(session.id) == session)
            #expect(try await store.loadDue(at: Timestamp(milliseconds: .max), limit: 9) == [])
            #expect(try await store.openCount() == 0)
        }
    }

    @Test(arguments: StoreKind.allCases) func `a probe leaves nothing`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            try await store.probe()
            #expect(try await store.sessionCounts().isEmpty)
            #expect(try await store.loadDueSessions(at: Timestamp(milliseconds: .max), limit: 9) == [])
        }
    }

    // MARK: - When it is away

    /// A closed store stands for each one that does not answer: every call says so, and none returns an empty result
    /// that means that there is no session.
    @Test(arguments: StoreKind.allCases.filter { $0 != .memory })
    func `a store without a response returns no empty result`(
        _ kind: StoreKind
    ) async throws {
        try await kind.withClosedStore { store async throws in
            let row = try Self.row(1)
            let calls: [(String, () async throws -> Void)] = [
                ("insert", { _ = try await store.insertSession(row) }),
                ("load", { _ = try await store.loadSession(row.id) }),
                ("replace", { _ = try await store.replaceSession(row, revision: 1) }),
                ("remove", { _ = try await store.removeSession(row.id, revision: 1) }),
                ("persons", { _ = try await store.loadSessions(ofPersons: [row.person], after: nil, limit: 9) }),
                ("due", { _ = try await store.loadDueSessions(at: Self.now, limit: 9) }),
                ("key", { _ = try await store.loadSessions(sealedBy: row.keyID, limit: 9) }),
                ("counts", { _ = try await store.sessionCounts() }),
            ]
            for (name, call) in calls {
                await #expect(throws: StoreError.unavailable, "\(name)") { try await call() }
            }
        }
    }

    // MARK: - Parts

    /// Runs a call many times at once. Returns the numbers of those that returned true.
    private static func winners(
        of count: Int, _ body: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> [Int] {
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for number in 0..<count { group.addTask { try await body(number) ? number : nil } }
            return try await group.reduce(into: []) { if let number = $1 { $0.append(number) } }
        }
    }

    private static func counts(_ store: any SessionStore) async throws -> [[UInt8]: Int] {
        Dictionary(uniqueKeysWithValues: try await store.sessionCounts().map { ($0.keyID, $0.count) })
    }
}
