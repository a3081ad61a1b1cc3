import Base
import EndToEndSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// More users come at once than a slow broker takes: two servers on one PostgreSQL send each code once, and every login
/// completes, although most codes wait for longer than a lease lasts.
///
/// A short form runs with the other tests.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) struct SoakQueueTests {
    private static let people = TestTier.isSoak ? 200 : 24
    /// How long the broker takes for one code, and how many connections each server has to it.
    private static let latency: Duration = TestTier.isSoak ? .seconds(6) : .seconds(1)
    private static let connections = TestTier.isSoak ? 32 : 1

    @Test(.enabled(if: PostgresServer.isWanted && (TestTier.isWhole || TestTier.isSoak), "takes long"))
    func `every code is sent once and every login completes`() async throws {
        let folder = try SoakStage.makeFolder()
        let store = try SoakStore.postgresql.open(in: folder)
        let stage = try QueueStage(Self.latency, connections: Self.connections, lifetime: 60, store, in: folder)
        for server in stage.servers { try await server.start() }
        let urls = stage.servers.map(\.url)
        let load = SoakLoad(urls[0], width: 10_000, SoakRandom(seed: TestTier.soakSeed)) { number in
            let here = urls[number % urls.count]
            return SoakLoad.Place(app: here, browser: (urls[0], here))
        }
        let progress = SoakProgress("\(Self.people) people at once, a broker that takes \(Self.latency)")
        let start = ContinuousClock.now
        await progress.during({ load.tally.line }) { await load.run(Self.people, perMinute: 60_000) }
        let log = stage.provider.sandbox.requestLog.tokenRequests
        let lines = stage.servers.flatMap { $0.events("broker_queue_long") }
        var slow = 0
        for server in stage.servers {
            let queue = try await server.brokerQueue("exchanges", within: "1")
            slow += queue.count - queue.fast
        }
        let taken = stage.servers.flatMap { $0.events("login_taken_over") }
        progress.say(
            "\(load.tally.line); \(log.count) codes, sent \(log.values.max() ?? 0) times at most, "
                + "\(start.duration(to: .now)); \(lines.count) lines, \(slow) slow: \(lines.first ?? [:])")
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.completed == Self.people)
        #expect(log.count == Self.people && log.values.allSatisfy { $0 == 1 })
        #expect(taken.isEmpty, "no server takes a code from one that lives")
        // On a busy machine the users may come one after the other, and then no code waits for a second.
        #expect(lines.isEmpty == (slow == 0))
        if TestTier.isSoak { #expect(slow > 0) }
        #expect(lines.allSatisfy { ($0["advice"] as? String)?.contains("limits.broker_connections") == true })
        #expect(lines.count <= 2 * stage.servers.count, "once a minute")
        try await stage.stop()
        store.close()
    }

    /// The codes live for 15 seconds, so they wait for five at most. The others are never sent.
    @Test(.enabled(if: TestTier.isWhole || TestTier.isSoak, "takes long"))
    func `a code that waits for too long is not sent`() async throws {
        let folder = try SoakStage.makeFolder()
        let store = SoakStore.Opened(settings: "store: memory", close: {})
        let stage = try QueueStage(.seconds(6), connections: 1, lifetime: 15, servers: 1, store, in: folder)
        try await stage.servers[0].start()
        let load = SoakLoad(stage.servers[0].url, width: 100, SoakRandom(seed: TestTier.soakSeed))
        await load.run(6, perMinute: 60_000)
        let log = stage.provider.sandbox.requestLog.tokenRequests
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.hopeless == 0)
        #expect(Set(load.tally.failed.keys) == ["failed interrupted"])
        // On a slow machine some users come late, when the broker is free again.
        #expect(log.values.allSatisfy { $0 == 1 } && (1...4).contains(log.count))
        let errors = stage.servers[0].events("login_exchange_failed").compactMap { $0["broker_error"] as? String }
        #expect(errors.count == 6 - load.tally.completed)
        #expect(errors.count { $0 == "token_busy" } == 6 - log.count, "what was not sent")
        try await stage.stop()
    }
}

/// Servers that share a store. Their broker is the sandbox behind a front that delays token requests.
private final class QueueStage: Sendable {
    let servers: [SoakServer]
    let provider: SoakProvider
    private let front: FaultServer
    private let folder: String

    init(
        _ latency: Duration, connections: Int, lifetime: Int, servers count: Int = 2, _ store: SoakStore.Opened,
        in folder: String
    ) throws {
        let frontPort = try FreePort.find()
        let provider = try SoakProvider(issuer: "http://127.0.0.1:\(frontPort)")
        let pause = UInt32(latency / .milliseconds(1))
        self.front = try FaultServer(port: frontPort) { connection in
            guard let request = connection.readRequest() else { return }
            if request.hasPrefix("POST /token ") { connection.pause(milliseconds: pause) }
            connection.write(FaultyFront.answer(to: request, from: provider.port))
        }
        let port = try FreePort.find()
        let limits =
            "limits: {create_per_address_per_minute: 0, create_per_app_per_minute: 0, connections_per_address: 10000, broker_connections: \(connections)}"
        let yaml = try provider.configuration(
            url: "http://127.0.0.1:\(port)", in: folder, settings: "\(store.settings)\n\(limits)"
        ).replacing("prompt: login", with: "prompt: login, code_lifetime: \(lifetime)")
        self.servers = try (0..<count).map { number in
            try SoakServer(number: number, port: number == 0 ? port : nil, in: folder, yaml: yaml)
        }
        self.provider = provider
        self.folder = folder
    }

    func stop() async throws {
        for server in self.servers { try await server.stop() }
        self.front.stop()
        await self.provider.stop()
        try? FileManager.default.removeItem(atPath: self.folder)
    }
}
