import Base
import EndToEndSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// Strangers start logins as fast as they can at a slow broker, while users log in from one address.
///
/// A short form runs with the other tests. Only `make soak` checks what depends on the speed of the machine.
@Suite(.blocking, .serialized, .timeLimit(.minutes(10))) struct SoakFloodTests {
    /// Logins of users, from one address.
    private static let loginsPerMinute = 2000
    /// Attempts of strangers, from four addresses together. The short form shares two cores with every other test.
    private static let openingsPerSecond = TestTier.isSoak ? 500 : 50
    /// How long the broker takes for one request.
    private static let latency = Duration.milliseconds(200)

    private static var seconds: Int { TestTier.isSoak ? TestTier.soakCount(60, atLeast: 3) : 3 }

    @Test(
        .enabled(if: TestTier.isWhole || TestTier.isSoak, "a load on the whole machine (SWITCHBACK_TEST_ALL=1)"),
        arguments: [false, true])
    func `every honest user logs in during a flood`(withFlood isFlooded: Bool) async throws {
        let folder = try SoakStage.makeFolder()
        let stage = try FloodStage(latency: Self.latency, in: folder)
        try await stage.server.start()
        let kind = isFlooded ? "with" : "without"
        let progress = SoakProgress("\(Self.loginsPerMinute) logins a minute, \(kind) a flood")
        let load = SoakLoad(stage.url, width: 10_000, SoakRandom(seed: TestTier.soakSeed))
        let flood = Flood(stage.url)
        let count = Self.loginsPerMinute * Self.seconds / 60
        await progress.during({ "\(load.tally.line); \(flood.line)" }) {
            let flooding = Task { if isFlooded { await flood.run(perSecond: Self.openingsPerSecond) } }
            await load.run(count, perMinute: Self.loginsPerMinute)
            flooding.cancel()
            await flooding.value
        }
        let queue = try await stage.server.brokerQueue("exchanges", within: "0.05")
        progress.say("\(load.tally.line); asked again: \(load.patience.met.sorted { $0.key < $1.key })")
        progress.say("\(flood.line); of \(queue.count) exchanges \(queue.fast) waited 50 ms or less in our queue")
        #expect(load.tally.complaints.prefix(10) == [])
        #expect(load.tally.completed == count)
        #expect(queue.count >= count)
        if isFlooded { #expect(flood.sent > 0) }
        if TestTier.isSoak {
            #expect(Double(queue.fast) >= 0.99 * Double(queue.count))
            #expect(load.patience.met.filter { $0.key.hasPrefix("browser") } == [:])
        }
        try await stage.stop()
    }
}

/// A server with default limits behind a proxy; its broker is the sandbox behind a delay.
private final class FloodStage: Sendable {
    let url: String
    let server: SoakServer
    private let front: FaultServer
    private let provider: SoakProvider
    private let folder: String

    init(latency: Duration, in folder: String) throws {
        let (port, frontPort) = (try FreePort.find(), try FreePort.find())
        let provider = try SoakProvider(issuer: "http://127.0.0.1:\(frontPort)")
        let pause = UInt32(latency / .milliseconds(1))
        self.front = try FaultServer(port: frontPort) { connection in
            while let request = connection.readRequest() {
                connection.pause(milliseconds: pause)
                connection.write(FaultyFront.answer(to: request, from: provider.port))
                return
            }
        }
        let url = "http://127.0.0.1:\(port)"
        let settings = "store: memory\nproxy: {header: x-forwarded-for, trusted: [127.0.0.1]}"
        self.server = try SoakServer(
            number: 0, port: port, in: folder,
            yaml: try provider.configuration(
                url: url, in: folder, settings: settings, broker: ", request_style: par"))
        self.url = url
        self.provider = provider
        self.folder = folder
    }

    func stop() async throws {
        try await self.server.stop()
        self.front.stop()
        await self.provider.stop()
        try? FileManager.default.removeItem(atPath: self.folder)
    }
}

/// Four addresses that each open the same login over and over, with new logins in between.
private final class Flood: Sendable {
    private let url: String
    private let statuses = Mutex<[String: Int]>([:])
    /// The link that each address opens over and over.
    private let links = Mutex<[Int: String]>([:])

    init(_ url: String) { self.url = url }

    var sent: Int { self.statuses.withLock { $0.values.reduce(0, +) } }

    var line: String {
        let all = self.statuses.withLock { $0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return all.isEmpty ? "no flood" : "strangers: \(all.joined(separator: ", "))"
    }

    /// Runs until the task is cancelled. On a busy machine it sends less: it never makes up for a late start, and waits
    /// while `inFlight` requests have no response.
    func run(perSecond count: Int, inFlight most: Int = 1000) async {
        await withTaskGroup(of: Void.self) { group in
            var number = 0
            while !Task.isCancelled {
                if number >= most { await group.next() }
                let (who, isNew) = (number % 4, number / 4 % 2 == 0)
                number += 1
                group.addTask { await self.open(as: who, isNew: isNew) }
                try? await Task.sleep(for: .seconds(1) / count)
            }
        }
    }

    private func open(as who: Int, isNew: Bool) async {
        let fields = [Parameter("X-Forwarded-For", "198.51.100.\(who + 1)")]
        let known = isNew ? nil : self.links.withLock { $0[who] }
        guard let link = await self.link(known, fields) else { return }
        self.links.withLock { links in if links[who] == nil { links[who] = link } }
        self.count("go", try? await TestClient.send("GET", link, fields: fields, within: 20))
    }

    private func link(_ known: String?, _ fields: [Parameter]) async -> String? {
        if let known { return known }
        return await self.create(fields)
    }

    private func create(_ fields: [Parameter]) async -> String? {
        let body = Array("{\"provider\": \"demo\", \"app\": \"demo\"}".utf8)
        let answer = try? await TestClient.send(
            "POST", "\(self.url)/v1/logins", fields: fields + [Parameter("Content-Type", "application/json")],
            body: body,
            within: 20)
        self.count("create", answer)
        return answer?.nextURL
    }

    private func count(_ what: String, _ answer: Answer?) {
        self.statuses.withLock { $0["\(what) \(answer.map { "\($0.status)" } ?? "none")", default: 0] += 1 }
    }
}
