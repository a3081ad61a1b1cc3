import Foundation
import Served
import BenchmarkSupport
import Synchronization

/// Renewals and unlocks through a separate server: how many per second, and what one costs it beside the bare
/// operations.
enum ServedCosts {
    /// Each phone makes few requests a second, because the server limits them.
    private static let phones = Extent.of(1_000, short: 20)
    private static let renewalsPerPhone = 2

    static let head = [
        "| store | | /s | CPU µs | verify | sign | HMAC | write | request | sum | ratio |",
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]

    /// What the rounds found for one kind of request.
    private struct Row {
        var rate = Samples()
        var cost = Samples()
        var verify = Samples()
        var sign = Samples()
        var hmac = Samples()
        var write = Samples()
        var request = Samples()
        var sum = Samples()
        var ratio = Samples()

        mutating func add(
            _ own: (rate: Double, cost: Double), _ bare: BareOperations.Costs, request: Double, write: Double
        ) {
            let sum = bare.verify + bare.sign + bare.hmac + write + request
            self.rate.add(own.rate)
            self.cost.add(own.cost)
            self.verify.add(bare.verify)
            self.sign.add(bare.sign)
            self.hmac.add(bare.hmac)
            self.write.add(write)
            self.request.add(request)
            self.sum.add(sum)
            self.ratio.add(own.cost / sum)
        }

        func line(_ store: ServedStore, _ name: String) -> String {
            let costs = [self.cost, self.verify, self.sign, self.hmac, self.write, self.request, self.sum]
            let cells =
                [Samples.text(self.rate.median, 0)] + costs.map { Samples.text($0.median) } + [self.ratio.range(2)]
            return "| \(store.rawValue) | \(name) | \(cells.joined(separator: " | ")) |"
        }
    }

    /// The server has the first core, and this process the second.
    static func measure(_ store: ServedStore, _ binary: String, beside stage: FlowStage) async throws -> [String] {
        try Cores.takeSecond()
        defer { Cores.takeBoth() }
        let server = try await ServerUnderTest(
            store, binary: binary, connections: SessionBenchmark.width, cores: Extent.isShort ? nil : "0",
            sessions: true)
        do {
            let lines = try await self.measure(store, server, BareOperations(stage))
            await server.stop()
            return lines
        } catch {
            await server.stop()
            throw error
        }
    }

    private static func measure(
        _ store: ServedStore, _ server: ServerUnderTest, _ bare: BareOperations
    ) async throws -> [String] {
        let phones = try await self.begin(server)
        var (renewals, unlocks) = (Row(), Row())
        for round in 0...SessionBenchmark.rounds {
            let costs = try await bare.measured()
            let nonce = try await ServedPhone.nonce(server.url, server.client)
            let empty = Array(repeating: ServedPhone.emptyRequest, count: phones.count * self.renewalsPerPhone)
            let request = try self.run(empty, on: server).cost
            var requests: [[UInt8]] = []
            for _ in 0..<self.renewalsPerPhone { requests += try phones.map { try $0.renewal(nonce: nonce) } }
            let renewal = try self.run(requests, on: server)
            let unlock = try self.run(phones.map { try $0.unlock(nonce: nonce) }, on: server)
            // The first round warms up.
            guard round > 0 || Extent.isShort else { continue }
            renewals.add(renewal, costs, request: request, write: 0)
            unlocks.add(unlock, costs, request: request, write: costs.write)
            Output.note("\(store.rawValue): \(Int(renewal.cost)) µs a renewal, \(Int(unlock.cost)) an unlock")
        }
        return [renewals.line(store, "renewal"), unlocks.line(store, "unlock")]
    }

    private static func begin(_ server: ServerUnderTest) async throws -> [ServedPhone] {
        let begun = Mutex<[ServedPhone]>([])
        let nonce = try await ServedPhone.nonce(server.url, server.client)
        let (url, client) = (server.url, server.client)
        try await Load.run(self.phones, atOnce: SessionBenchmark.width) { _ in
            let phone = try await ServedPhone(url, client, nonce: nonce)
            begun.withLock { $0.append(phone) }
        }
        let phones = begun.withLock { $0 }
        // A change of the PIN needs a nonce that is newer than the session.
        let newer = try await ServedPhone.nonce(server.url, server.client)
        try RequestLoad.run(phones.map { try $0.setPIN(nonce: newer) }, to: server.port)
        return phones
    }

    /// Returns the requests per second, and the server's CPU time for one in microseconds.
    private static func run(
        _ requests: [[UInt8]], on server: ServerUnderTest
    ) throws -> (rate: Double, cost: Double) {
        let (cpu, wall) = (try server.cpuSeconds, CPUTime.wallSeconds)
        try RequestLoad.run(requests, to: server.port)
        let count = Double(requests.count)
        return (count / (CPUTime.wallSeconds - wall), (try server.cpuSeconds - cpu) * 1e6 / count)
    }
}
