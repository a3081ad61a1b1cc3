import Base
import ConfigurationSamples
import JOSE
import KeyFiles
import KeyRing
import Logging
import ServerConfiguration
import Stores
import Synchronization
import Testing

@testable import Switchback

/// A server signs with the keys that its configuration and the ring in its store say.
@Suite struct ConfiguredKeyRingTests {
    private final class Clock: Sendable {
        private let time = Mutex(Timestamp(seconds: 1_795_356_000))

        func now() -> Timestamp { self.time.withLock { $0 } }
        func advance(by duration: Duration) { self.time.withLock { $0 = $0 + duration } }
    }

    private static func configuration(_ automatic: String?) throws -> Configuration {
        let line = automatic.map { "  automatic: [\($0)]\n" } ?? ""
        return try Configuration(SampleConfiguration.source("keys:\n", "keys:\n\(line)"))
    }

    private static func ring(_ configuration: Configuration, _ store: MemoryLoginStore, _ clock: Clock)
        -> ConfiguredKeyRing
    {
        ConfiguredKeyRing(
            configuration, store: store, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            now: { clock.now() })
    }

    private static func keyID(_ signer: JWTSigner?) throws -> String? {
        try signer.flatMap { try CompactJWS(parsing: $0.sign([:])).header.keyID }
    }

    @Test func `the key in the file signs until an automatic key has been published`() async throws {
        let (clock, store) = (Clock(), MemoryLoginStore())
        let configuration = try Self.configuration("signing")
        let ring = Self.ring(configuration, store, clock)
        let signer = configuration.signer(.signing, .es256, ring.keeper)
        let file = try #require(configuration.signingKeys.first?.keyID)
        #expect(try Self.keyID(signer) == file)
        await ring.keeper.read()
        #expect(try Self.keyID(signer) == file)
        let published = await ring.keySets(at: clock.now())?.read(.client)
        let automatic = try #require(published?.keys.first?.keyID)
        #expect(automatic != file)
        clock.advance(by: .seconds(30 * 3600))
        #expect(try Self.keyID(signer) == automatic)
        #expect(ring.obstacle == nil)
        // Another use of this server stays a file.
        #expect(configuration.signer(.assertion, nil, ring.keeper) == nil)
    }

    @Test func `without automatic keys nothing is written, and no key set changes`() async throws {
        let (clock, store) = (Clock(), MemoryLoginStore())
        let ring = Self.ring(try Self.configuration(nil), store, clock)
        await ring.keeper.read()
        #expect(try await store.loadKeyRing() == nil)
        #expect(ring.keySets(at: clock.now()) == nil)
        #expect(ring.obstacle == nil && ring.keeper.isPassive)
    }

    @Test func `keys that were left are published until they end, and sign nothing`() async throws {
        let (clock, store) = (Clock(), MemoryLoginStore())
        await Self.ring(try Self.configuration("signing"), store, clock).keeper.read()
        clock.advance(by: .seconds(30 * 3600))
        let configuration = try Self.configuration(nil)
        let ring = Self.ring(configuration, store, clock)
        await ring.keeper.read()
        #expect(await ring.keySets(at: clock.now())?.read(.client)?.keys.count == 1)
        let signer = configuration.signer(.signing, .es256, ring.keeper)
        #expect(try Self.keyID(signer) == configuration.signingKeys.first?.keyID)
        clock.advance(by: .seconds(61 * 86_400))
        #expect(ring.keySets(at: clock.now()) == nil)
    }
}
