import Base
import JOSE
import KeyFiles
import TestSupport
import Testing

@testable import KeyRing

/// Servers with clocks that differ, which are slow, stopped and restarted, share one row. Whatever happens, nobody signs
/// with a key that others may not know, and no older row comes back.
@Suite struct KeyRingKeeperTests {
    static let seeds: [UInt64] = Array(0..<6)
    /// How far clocks are from the true time.
    static let skew = Duration.milliseconds(1500)

    static func ring(_ row: StoredKeyRing, _ world: RingWorld) throws -> KeyRing {
        try #require(KeyRingSeal.open(row, under: world.serverKeys).ring)
    }

    /// Returns the keys of signatures that somebody could not verify: with a set that readers may still have, or with one
    /// that is served in the five minutes after them, while the token is valid.
    static func unverified(_ world: RingWorld, since: Timestamp = RingWorld.start) -> Set<String> {
        let signatures = Dictionary(grouping: world.signatures.filter { $0.at > since }, by: \.keyID)
        let sets = Dictionary(grouping: world.sets.filter { $0.at > since }, by: \.lifetime)
        let bad = signatures.filter { keyID, signatures in
            sets.contains { lifetime, sets in
                let lacking = sets.filter { !$0.keyIDs.contains(keyID) }.map(\.at)
                return signatures.contains { Self.hasAny(lacking, from: $0.at - lifetime, to: $0.at + .seconds(300)) }
            }
        }
        return Set(bad.keys)
    }

    /// The times are in their order.
    private static func hasAny(_ times: [Timestamp], from begin: Timestamp, to end: Timestamp) -> Bool {
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle] < begin { low = middle + 1 } else { high = middle }
        }
        return low < times.count && times[low] <= end
    }

    @Test(arguments: Self.seeds) func `every signature is verified by every key set of its time`(
        _ seed: UInt64
    ) async throws {
        let world = RingWorld(seed: seed, servers: 3)
        for _ in 0..<500 {
            await world.step()
            if world.chance(60), let server = world.servers.randomElement(using: &world.random) {
                world.restart(server)
            }
            if world.chance(90), let server = world.servers.randomElement(using: &world.random) {
                server.stoppedUntil = world.clock.now + .seconds(Int.random(in: 1...120, using: &world.random))
            }
        }
        #expect(Self.unverified(world).isEmpty)
        #expect(Set(world.signatures.map(\.keyID)).count > 2, "keys have rotated")
    }

    @Test(arguments: Self.seeds) func `one key of a slot is active, and none after its retirement`(
        _ seed: UInt64
    ) async throws {
        let world = RingWorld(seed: seed &+ 1000, servers: 2)
        for _ in 0..<450 { await world.step() }
        var retirements: [String: Timestamp] = [:]
        for row in world.store.history {
            let ring = try Self.ring(row, world)
            for key in ring.keys {
                if let retiredAt = key.retiredAt {
                    let former = retirements[key.key.keyID]
                    #expect(former == nil || former == retiredAt, "a date never changes")
                    retirements[key.key.keyID] = retiredAt
                }
                for slot in Set(ring.keys.map(\.slot)) {
                    for time in [key.activeAt, key.signsUntil, key.signsUntil - .milliseconds(1)] {
                        #expect(ring.keys.filter { $0.slot == slot && $0.phase(at: time) == .active }.count <= 1)
                    }
                }
            }
        }
        for signature in world.signatures {
            guard let retiredAt = retirements[signature.keyID] else { continue }
            #expect(signature.at < retiredAt + Self.skew)
        }
    }

    @Test(arguments: Self.seeds) func `no key of a row that was put back signs again`(_ seed: UInt64) async throws {
        let world = RingWorld(seed: seed &+ 2000, servers: 3)
        for _ in 0..<300 { await world.step() }
        let former = try #require(
            world.store.history.dropLast(2).randomElement(using: &world.random))
        let restoredAt = world.clock.now
        let keyIDs = Set(try Self.ring(former, world).keys.map(\.key.keyID))
        #expect(world.events.restoreCount == 0)
        world.store.row = former
        for _ in 0..<300 { await world.step() }
        let limit = restoredAt + RingWorld.policy.readingLifetime + Self.skew
        #expect(!world.signatures.contains { $0.at > limit && keyIDs.contains($0.keyID) })
        let row = try #require(world.store.row)
        let ring = try Self.ring(row, world)
        #expect(ring.active(in: RingWorld.slot, at: world.clock.now) != nil, "new keys have taken over")
        // The servers knew the keys of the rows that were lost, and still publish them.
        #expect(Self.unverified(world, since: limit).isEmpty)
    }

    @Test(arguments: Self.seeds) func `servers that start on an old row begin again, and agree`(
        _ seed: UInt64
    ) async throws {
        let world = RingWorld(seed: seed &+ 3000, servers: 2)
        for _ in 0..<300 { await world.step() }
        let row = try #require(world.store.row)
        let keyIDs = Set(try Self.ring(row, world).keys.map(\.key.keyID))
        world.clock.advance(by: .seconds(3000))
        for server in world.servers { world.restart(server) }
        let count = world.signatures.count
        for _ in 0..<200 { await world.step() }
        let later = world.signatures.dropFirst(count)
        #expect(!later.contains { keyIDs.contains($0.keyID) })
        #expect(later.first?.keyID == RingWorld.fileKeyID)
        #expect(world.events.restoreCount == 1, "one server has won")
    }

    @Test func `a row is sealed again when the server key rotates, and its keys go on`() async throws {
        let world = RingWorld(seed: 7, servers: 2)
        await world.run(270)
        let signer = try #require(world.servers[0].keeper.signer(in: RingWorld.slot, .es256))
        let (old, new) = (world.serverKeys[0], Secret([UInt8](repeating: 2, count: 32)))
        for keys in [[old, new], [new, old]] {
            for server in world.servers { server.keeper.renew(RingWorld.policy, serverKeys: keys) }
            for _ in 0..<20 { await world.step() }
        }
        let row = try #require(world.store.row)
        let ring = try #require(KeyRingSeal.open(row, under: [new]).ring)
        #expect(ring.keys.contains { $0.key.keyID == signer.keyID })
        #expect(KeyRingSeal.open(row, under: [old]).ring == nil)
    }

    @Test func `without the store the key in the file signs, and no key set is served`() async throws {
        let world = RingWorld(seed: 8, servers: 1)
        await world.run(270)
        let keeper = world.servers[0].keeper
        #expect(keeper.signer(in: RingWorld.slot, .es256) != nil)
        #expect(keeper.obstacle == nil)
        world.store.isGone = true
        world.clock.advance(by: RingWorld.policy.readingLifetime)
        #expect(keeper.signer(in: RingWorld.slot, .es256) == nil)
        #expect(await keeper.freshKeySet(.assertion) == nil)
        #expect(keeper.obstacle == "the automatic keys cannot be read: the store does not respond")
        world.store.isGone = false
        #expect(await keeper.freshKeySet(.assertion) != nil)
        #expect(keeper.obstacle == nil)
    }

    @Test func `a reading is as old as its beginning`() async throws {
        let world = RingWorld(seed: 14, servers: 1)
        await world.run(270)
        let keeper = world.servers[0].keeper
        #expect(keeper.isFresh)
        // The server is stopped after the store has read the row, and before it has the response.
        for _ in 0..<2 {
            world.store.hold { world.clock.advance(by: RingWorld.policy.readingLifetime) }
            await keeper.read()
            if !keeper.isFresh { break }
        }
        #expect(!keeper.isFresh && keeper.signer(in: RingWorld.slot, .es256) == nil)
        #expect(await keeper.freshKeySet(.assertion) != nil, "it reads again")
        #expect(keeper.isFresh)
    }

    @Test(arguments: Self.seeds) func `a server without automatic keys comes and goes, and nobody notices`(
        _ seed: UInt64
    ) async throws {
        let world = RingWorld(seed: seed &+ 4000, servers: 2, strangers: nil)
        await world.run(10)
        #expect(world.store.row == nil, "nobody has looked yet")
        await world.playStranger(for: 40)
        #expect(world.store.row == nil)
        for _ in 0..<3 {
            for _ in 0..<350 {
                await world.step()
                for server in world.servers { server.keeper.noteStrangers() }
            }
            let steps = Int.random(in: 5...150, using: &world.random)
            await world.playStranger(for: steps)
            world.store.strangers = nil
            for server in world.servers { world.restart(server) }
            await world.run(2)
            world.store.strangers = false
        }
        #expect(Self.unverified(world).isEmpty)
        #expect(Set(world.signatures.map(\.keyID)).count > 2, "keys have rotated")
    }

    @Test func `a server that does not know the ring is noted once`() async throws {
        let world = RingWorld(seed: 9, servers: 1, strangers: nil)
        let keeper = world.servers[0].keeper
        for strangers in [nil, true, true, nil, false, false, true, false] as [Bool?] {
            world.store.strangers = strangers
            keeper.noteStrangers()
        }
        #expect(world.events.strangers == [true, false, true, false])
    }

    @Test func `a row that somebody has changed retires all keys`() async throws {
        let world = RingWorld(seed: 10, servers: 1)
        await world.run(270)
        let row = try #require(world.store.row)
        let keyID = try #require(world.servers[0].keeper.signer(in: RingWorld.slot, .es256)?.keyID)
        for index in [8, row.bytes.count / 2, row.bytes.count - 1] {
            var bytes = row.bytes
            bytes[index] ^= 1
            let changed = KeyRingSeal.open(StoredKeyRing(version: row.version, bytes: bytes), under: world.serverKeys)
            guard case .damaged = changed else {
                Issue.record("byte \(index) does not count")
                continue
            }
        }
        let moved = StoredKeyRing(version: row.version + 1, bytes: row.bytes)
        #expect(KeyRingSeal.open(moved, under: world.serverKeys).ring == nil)
        world.store.row = StoredKeyRing(version: .max, bytes: [1, 2, 3])
        await world.servers[0].keeper.read()
        #expect(world.servers[0].keeper.signer(in: RingWorld.slot, .es256) == nil)
        #expect(world.servers[0].keeper.keySet(.assertion).keys.contains { $0.keyID == keyID }, "it still verifies")
        #expect(world.store.row?.version == row.version + 1)
    }

    @Test func `keys from before trusted_since are gone at once`() async throws {
        let world = RingWorld(seed: 11, servers: 1)
        await world.run(270)
        let keeper = world.servers[0].keeper
        let keyID = try #require(keeper.signer(in: RingWorld.slot, .es256)?.keyID)
        let policy = RingPolicy(
            RingWorld.policy.chains, rotateEvery: RingWorld.policy.rotateEvery,
            publishFor: RingWorld.policy.publishFor, trustedSince: world.clock.now + .seconds(2))
        keeper.renew(policy, serverKeys: world.serverKeys)
        #expect(keeper.signer(in: RingWorld.slot, .es256) == nil, "the store is not asked")
        world.store.refusesWrites = true
        await keeper.read()
        #expect(keeper.isFresh && keeper.signer(in: RingWorld.slot, .es256) == nil)
        world.store.refusesWrites = false
        world.clock.advance(by: .seconds(4))
        await keeper.read()
        #expect(keeper.signer(in: RingWorld.slot, .es256) == nil)
        #expect(!keeper.keySet(.assertion).keys.contains { $0.keyID == keyID })
        await world.run(270)
        #expect(keeper.signer(in: RingWorld.slot, .es256) != nil)
    }

    /// An operator replaces a stolen server key at once: only the new one is listed.
    @Test func `a row of another server key is refused, unless the operator distrusts the keys before`() async throws {
        let world = RingWorld(seed: 13, servers: 1)
        await world.run(270)
        let row = world.store.row
        let keys = [Secret([UInt8](repeating: 2, count: 32))]
        let clock = world.clock
        let keeper = KeyRingKeeper(
            RingWorld.policy, of: [.assertion], store: world.store, serverKeys: keys, now: { clock.now },
            uptime: { clock.now - RingWorld.start })
        await keeper.read()
        #expect(
            keeper.obstacle
                == "the automatic keys cannot be read: the row was sealed by a server key that is not in server_keys")
        #expect(world.store.row == row)
        let policy = RingPolicy(
            RingWorld.policy.chains, rotateEvery: RingWorld.policy.rotateEvery,
            publishFor: RingWorld.policy.publishFor, trustedSince: clock.now - .seconds(1))
        keeper.renew(policy, serverKeys: keys)
        await keeper.read()
        #expect(keeper.obstacle == nil)
        #expect(keeper.signer(in: RingWorld.slot, .es256) == nil)
        #expect(keeper.keySet(.assertion).keys.count == 1)
    }

    @Test func `a passive server publishes what it finds, and writes nothing`() async throws {
        let world = RingWorld(seed: 12, servers: 1)
        await world.run(270)
        let row = world.store.row
        let clock = world.clock
        let keeper = KeyRingKeeper(
            RingPolicy([], rotateEvery: .seconds(300), publishFor: .seconds(60)), of: [], store: world.store,
            serverKeys: world.serverKeys, now: { clock.now }, uptime: { clock.now - RingWorld.start })
        #expect(await keeper.freshKeySet(.assertion) == nil)
        await keeper.read()
        #expect(await keeper.freshKeySet(.assertion)?.keys.isEmpty == false)
        #expect(keeper.signer(in: RingWorld.slot, .es256) == nil)
        #expect(!keeper.isDue)
        #expect(world.store.row == row)
    }
}
