import Base
import KeyRing
import Logins
import TestSupport
import Testing

@testable import Stores

/// Servers that rotate keys see whether one on their database does not.
@Suite(.blocking, .enabled(if: PostgresServer.isWanted, "PostgreSQL is not installed")) struct PostgresStrangerTests {
    /// Reads as a sweeper does, until the store says this of others.
    private static func wait(_ store: PostgresLoginStore, for hasStrangers: Bool) async throws {
        for _ in 0..<1000 {
            _ = try await store.takeAbandoned(dueBy: Timestamp(seconds: 5_000))
            if store.hasStrangers == hasStrangers { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw MissingTool(description: "the strangers are not \(hasStrangers)")
    }

    @Test func `a server that does not know the ring is seen while it is there`() async throws {
        let stage = try PostgresStage()
        let (one, other) = (try stage.store(knowsKeyRing: true), try stage.store(knowsKeyRing: true))
        for store in [one, other] { store.observeChanges { _ in } }
        #expect(one.hasStrangers == nil, "it has not seen anybody yet")
        for store in [one, other] { try await Self.wait(store, for: false) }
        let stranger = try stage.store()
        stranger.observeChanges { _ in }
        for store in [one, other] { try await Self.wait(store, for: true) }
        await stranger.close()
        for store in [one, other] { try await Self.wait(store, for: false) }
        for store in [one, other] { await store.close() }
    }

    @Test func `the row is read without a server`() async throws {
        let stage = try PostgresStage()
        #expect(try PostgresKeyRing.read(stage.settings) == nil)
        let store = try stage.store()
        let row = StoredKeyRing(version: 3, bytes: [1, 2, 3])
        #expect(try await store.storeKeyRing(row, after: nil))
        #expect(try PostgresKeyRing.read(stage.settings) == row)
        await store.close()
    }
}
