import Base
import Logins
import Testing

/// Every store must pass all these tests; they complete the contract of `LoginStore`.
@Suite struct StoreConformanceTests {
    static let now = Timestamp(seconds: 5_000)

    static func row(
        _ number: UInt8, revision: Int64 = 1, due: Int = 60, isOpen: Bool = true, bytes: [UInt8] = [1]
    ) throws -> SealedLogin {
        let id = try #require(LoginID(Array(repeating: number, count: 16)))
        return SealedLogin(
            id: id, revision: revision, due: self.now + .seconds(due), isOpen: isOpen, bytes: bytes)
    }

    @Test(arguments: StoreKind.allCases) func `an ID is used once`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.insert(try Self.row(1)))
            #expect(try await store.insert(try Self.row(1, bytes: [9])) == false)
            #expect(try await store.load(try Self.row(1).id) == (try Self.row(1)))
            #expect(try await store.load(try Self.row(2).id) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func `a note grows with the writes of its login`(_ kind: StoreKind)
        async throws
    {
        try await kind.withStore { store async throws in
            let id = try Self.row(1).id
            func note(_ bytes: [UInt8], limit: Int = 9) -> NoteAddition {
                NoteAddition(
                    reference: id.reference, bytes: bytes, limit: limit, keepUntil: Self.now + .seconds(60))
            }
            #expect(try await store.insert(try Self.row(1), noting: note([0, 1])))
            #expect(try await store.insert(try Self.row(1), noting: note([9])) == false)
            #expect(try await store.load(id) == (try Self.row(1)))
            #expect(try await store.replace(try Self.row(1, revision: 2), revision: 1, noting: note([0, 2, 255])))
            #expect(try await store.replace(try Self.row(1, revision: 3), revision: 1, noting: note([8])) == false)
            // It would have eight bytes then.
            let longer = note([7, 7, 7], limit: 7)
            #expect(try await store.replace(try Self.row(1, revision: 3), revision: 2, noting: longer))
            #expect(try await store.replace(try Self.row(1, revision: 4), revision: 3))
            #expect(
                try await store.apply(.replace(try Self.row(1, revision: 5), revision: 4, noting: note([3]))))
            let over = SweepChange.replace(try Self.tombstone(1), revision: 5, noting: note([4, 5, 6], limit: 9))
            #expect(try await store.apply(over))
            let expected = [StoredNote(id: id, bytes: [0, 1, 0, 2, 255, 3, 4, 5, 6])]
            #expect(try await store.notes(ofReference: id.reference) == expected)
            #expect(try await store.notes(ofReference: "AAAA-AAAA") == [])
        }
    }

    @Test(arguments: StoreKind.allCases) func `a row is replaced only at its revision`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.insert(try Self.row(1))
            #expect(try await store.replace(try Self.row(1, revision: 3), revision: 2) == false)
            #expect(try await store.replace(try Self.row(1, revision: 2, bytes: [2]), revision: 1))
            #expect(try await store.replace(try Self.row(1, revision: 2, bytes: [3]), revision: 1) == false)
            #expect(try await store.load(try Self.row(1).id)?.bytes == [2])
            #expect(try await store.replace(try Self.row(7), revision: 1) == false, "there is none")
        }
    }

    @Test(arguments: StoreKind.allCases) func `of many writers, one wins`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            _ = try await store.insert(try Self.row(1))
            let winners = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<50 {
                    let row = try Self.row(1, revision: 2, bytes: [UInt8(number)])
                    group.addTask { try await store.replace(row, revision: 1) }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(winners == 1)
        }
    }

    @Test(arguments: StoreKind.allCases) func `open rows are counted`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 1...3 { _ = try await store.insert(try Self.row(UInt8(number))) }
            #expect(try await store.openCount() == 3)
            _ = try await store.replace(try Self.row(1, revision: 2, isOpen: false), revision: 1)
            #expect(try await store.openCount() == 2)
            #expect(try await store.remove(try Self.row(2).id, revision: 1))
            #expect(try await store.remove(try Self.row(2).id, revision: 1) == false)
            #expect(try await store.remove(try Self.row(3).id, revision: 2) == false)
            #expect(try await store.openCount() == 1)
        }
    }

    @Test(arguments: StoreKind.allCases) func `only what is due falls due`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for (number, due) in [(1, 10), (2, 20), (3, 30)] as [(UInt8, Int)] {
                _ = try await store.insert(try Self.row(number, due: due))
            }
            #expect(try await store.loadDue(at: Self.now, limit: 9) == [])
            let due = try await store.loadDue(at: Self.now + .seconds(25), limit: 9)
            #expect(Set(due.map(\.id)) == Set(try [Self.row(1).id, Self.row(2).id]))
            #expect(try await store.loadDue(at: Self.now + .seconds(25), limit: 1).count == 1)
            // Moved to a later time, so it is no longer due.
            _ = try await store.replace(try Self.row(1, revision: 2, due: 90), revision: 1)
            #expect(try await store.loadDue(at: Self.now + .seconds(25), limit: 9).map(\.id) == [try Self.row(2).id])
            // The clock has stepped back, and a new row is due earlier than all others.
            _ = try await store.insert(try Self.row(4, due: 5))
            #expect(try await store.loadDue(at: Self.now + .seconds(7), limit: 9).map(\.id) == [try Self.row(4).id])
        }
    }

    @Test(arguments: StoreKind.allCases) func `a sweep in slices comes to an end`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 0..<200 { _ = try await store.insert(try Self.row(UInt8(number), due: number % 7)) }
            var removed = 0
            while true {
                let slice = try await store.loadDue(at: Self.now + .seconds(60), limit: 16)
                #expect(slice.count <= 16)
                guard !slice.isEmpty else { break }
                for row in slice where try await store.remove(row.id, revision: row.revision) { removed += 1 }
            }
            #expect(removed == 200)
            #expect(try await store.openCount() == 0)
        }
    }

    @Test(arguments: StoreKind.allCases) func `each change of a sweep succeeds or fails alone`(_ kind: StoreKind)
        async throws
    {
        try await kind.withStore { store async throws in
            for number in 1...4 { _ = try await store.insert(try Self.row(UInt8(number))) }
            let done = try await store.apply([
                .replace(try Self.row(1, revision: 2, isOpen: false), revision: 1),
                .replace(try Self.row(2, revision: 3, isOpen: false), revision: 2),
                .remove(try Self.row(3).id, revision: 1),
                .remove(try Self.row(4).id, revision: 2),
                .remove(try Self.row(3).id, revision: 1),
                .replace(try Self.row(9), revision: 1),
            ])
            #expect(done == [true, false, true, false, false, false])
            #expect(try await store.apply([]) == [])
            #expect(try await store.openCount() == 2)
            #expect(try await store.load(try Self.row(1).id)?.revision == 2)
            #expect(try await store.load(try Self.row(3).id) == nil)
        }
    }

    @Test(arguments: StoreKind.allCases) func `a removed ID can be used again`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.insert(try Self.row(1, revision: 4)))
            #expect(try await store.remove(try Self.row(1).id, revision: 4))
            #expect(try await store.load(try Self.row(1).id) == nil)
            #expect(try await store.replace(try Self.row(1, revision: 5), revision: 4) == false)
            #expect(try await store.insert(try Self.row(1)))
            #expect(try await store.openCount() == 1)
        }
    }

    /// A revision may be any number, a row may be empty or large, and a timestamp may have the maximum value.
    @Test(arguments: StoreKind.allCases) func `a row is read back as it was`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            let rows = [
                (Int64.max, Timestamp(milliseconds: .max), [] as [UInt8]),
                (.min, Timestamp(milliseconds: .max - 1), [0]),
                (0, Self.now + .milliseconds(1), Array(repeating: 0xFF, count: 200_000)),
                (1, Self.now, Array(0...255)),
            ]
            for (number, (revision, due, bytes)) in rows.enumerated() {
                let id = try Self.row(UInt8(number)).id
                let row = SealedLogin(id: id, revision: revision, due: due, isOpen: number % 2 == 0, bytes: bytes)
                #expect(try await store.insert(row))
                #expect(try await store.load(id) == row)
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func `a probe leaves nothing`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            try await store.probe()
            #expect(try await store.openCount() == 0)
            #expect(try await store.loadDue(at: Timestamp(milliseconds: .max), limit: 9) == [])
        }
    }

    /// Each call sees what an earlier call was told, on whatever connection it runs.
    @Test(arguments: StoreKind.allCases) func `what is written is seen at once`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 as Range<UInt8> {
                    group.addTask {
                        _ = try await store.insert(try Self.row(number))
                        for revision in 1..<10 as Range<Int64> {
                            let next = try Self.row(number, revision: revision + 1, bytes: [UInt8(revision)])
                            #expect(try await store.replace(next, revision: revision))
                            #expect(try await store.load(next.id) == next)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.openCount() == 40)
        }
    }

    // MARK: - Tombstones

    /// The time is far ahead, because PostgreSQL compares it with its own clock.
    static func tombstone(_ number: UInt8, due: Int = 4_000_000_000, byte: UInt8 = 7) throws -> SealedLogin {
        SealedLogin(
            tombstoneOf: try Self.row(number).id, due: Self.now + .seconds(due),
            bytes: Array(repeating: byte, count: SealedLogin.tombstoneByteCount))
    }

    /// It takes the place of the row, and its id stays taken. The store itself removes it later.
    @Test(arguments: StoreKind.allCases) func `a tombstone replaces its login`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 1...3 { _ = try await store.insert(try Self.row(UInt8(number), due: number)) }
            let tombstone = try Self.tombstone(1)
            #expect(try await store.replace(tombstone, revision: 2) == false)
            #expect(try await store.load(tombstone.id) == (try Self.row(1, due: 1)))
            #expect(try await store.replace(tombstone, revision: 1))
            #expect(try await store.apply([.replace(try Self.tombstone(2), revision: 1)]) == [true])
            #expect(try await store.load(tombstone.id) == tombstone)
            #expect(try await store.replace(try Self.tombstone(1, byte: 8), revision: 1) == false)
            #expect(try await store.replace(try Self.row(1, revision: 2), revision: 1) == false)
            #expect(try await store.remove(tombstone.id, revision: 1) == false)
            #expect(try await store.insert(try Self.row(1)) == false)
            #expect(try await store.replace(try Self.tombstone(9), revision: 1) == false, "there is none")
            #expect(try await store.load(tombstone.id) == tombstone)
            #expect(try await store.openCount() == 1)
            #expect(try await store.loadDue(at: Self.now + .seconds(59), limit: 9) == [try Self.row(3, due: 3)])
        }
    }

    /// An app may repeat its create while it acknowledges the result.
    @Test(arguments: StoreKind.allCases)
    func `what ends cannot begin at the same time`(_ kind: StoreKind) async throws {
        try await kind.withStore { store async throws in
            for number in 0..<20 as Range<UInt8> { _ = try await store.insert(try Self.row(number)) }
            let begun = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<20 as Range<UInt8> {
                    group.addTask {
                        let hasEnded = try await store.replace(try Self.tombstone(number), revision: 1)
                        #expect(hasEnded)
                        return false
                    }
                    for _ in 0..<4 { group.addTask { try await store.insert(try Self.row(number)) } }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(begun == 0)
            for number in 0..<20 as Range<UInt8> {
                #expect(try await store.load(try Self.row(number).id) == (try Self.tombstone(number)))
            }
        }
    }
}
