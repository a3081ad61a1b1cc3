import KeyRing
import Logins
import Testing

/// Every store must pass all these tests; they complete the contract of `KeyRingStore`.
@Suite struct KeyRingStoreConformanceTests {
    private static func row(_ version: Int64, _ byte: UInt8 = 1) -> StoredKeyRing {
        StoredKeyRing(version: version, bytes: [byte, 0, 255])
    }

    @Test(arguments: StoreKind.allCases) func `a row changes only after the version that was read`(
        _ kind: StoreKind
    ) async throws {
        try await kind.withStore { store async throws in
            #expect(try await store.loadKeyRing() == nil)
            #expect(try await store.storeKeyRing(Self.row(2), after: 1) == false, "there is none")
            #expect(try await store.storeKeyRing(Self.row(1), after: nil))
            #expect(try await store.storeKeyRing(Self.row(1, 9), after: nil) == false)
            #expect(try await store.loadKeyRing() == Self.row(1))
            #expect(try await store.storeKeyRing(Self.row(7, 2), after: 1))
            #expect(try await store.storeKeyRing(Self.row(8, 3), after: 1) == false)
            #expect(try await store.loadKeyRing() == Self.row(7, 2))
        }
    }

    @Test(arguments: StoreKind.allCases) func `of many writers of one version, one wins`(_ kind: StoreKind) async throws
    {
        try await kind.withStore { store async throws in
            for former in [nil, 1] as [Int64?] {
                let next = Self.row((former ?? 0) + 1).version
                let winners = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                    for byte in UInt8(0)..<20 {
                        group.addTask {
                            try await store.storeKeyRing(Self.row(next, byte), after: former) ? byte : nil
                        }
                    }
                    var winners: [UInt8] = []
                    for try await winner in group { if let winner { winners.append(winner) } }
                    return winners
                }
                #expect(winners.count == 1)
                #expect(try await store.loadKeyRing() == winners.first.map { Self.row(next, $0) })
            }
        }
    }

    @Test(arguments: StoreKind.allCases) func `a closed store says that it is closed`(_ kind: StoreKind)
        async throws
    {
        try await kind.withClosedStore { store async throws in
            await #expect(throws: StoreError.unavailable) { try await store.loadKeyRing() }
            await #expect(throws: StoreError.unavailable) { try await store.storeKeyRing(Self.row(1), after: nil) }
        }
    }
}
