import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// A server whose connections run out, with clients of many networks: the proxy names them. Nothing is simulated.
///
/// The limits are those of the defaults divided by 24, so that both ends fit into one process.
@Suite(.blocking) struct CrowdedServerTests {
    private static let limits: ServerLimits = {
        var limits = ServerLimits()
        limits.connections = 15_000 / 24
        limits.connectionsPerAddress = 4000 / 24
        return limits
    }()
    private static let hello = "GET /hello HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let poll = "GET /polled HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func header(_ address: String) -> String {
        address.contains(":")
            ? "PROXY TCP6 \(address) 2001:db8:ffff::1 1 2\r\n" : "PROXY TCP4 \(address) 198.51.100.1 1 2\r\n"
    }

    private static func connect(_ server: TestServer, from address: String, _ text: String = "") async throws
        -> RawClient
    {
        let client = try RawClient(port: server.port, patience: 60)
        await client.send(Self.header(address) + text)
        return client
    }

    struct Attack: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let addresses: [String]
        /// What its connections do, in turn.
        let habits: [String]

        init(_ name: String, _ addresses: [String], _ habits: [String]) {
            (self.testDescription, self.addresses, self.habits) = (name, addresses, habits)
        }
    }

    private static let networks = [
        ("one /48 in 256 /56", (0..<256).map { "2001:db8:0:\(String($0, radix: 16))00::1" }),
        ("four addresses", (1...4).map { "203.0.113.\($0)" }), ("64 addresses", (1...64).map { "203.0.113.\($0)" }),
        ("64 /48", (1...64).map { "2001:db8:\(String($0, radix: 16))::1" }),
    ]
    private static let habits = [
        ("half silent, half polling", ["", poll]), ("silent", [""]), ("half a head", ["GET /hel"]),
    ]

    /// Attackers take as many connections as they can get, and go on. 3,000 users of one carrier poll, and others come.
    @Test(arguments: networks.flatMap { network in habits.map { Attack("\(network.0), \($0.0)", network.1, $0.1) } })
    func `all other clients are served during an attack`(_ attack: Attack) async throws {
        try await withServer(loops: 2, limits: Self.limits, proxies: ProxiedConnectionTests.loopback) { server in
            var carrier: [RawClient] = []
            for _ in 0..<(3000 / 24) { carrier.append(try await Self.connect(server, from: "198.51.100.7", Self.poll)) }
            #expect(await server.waits { $0.polls.count == carrier.count })
            var taken: [RawClient] = []
            for number in 0..<1200 {
                let address = attack.addresses[number % attack.addresses.count]
                let habit = attack.habits[number / attack.addresses.count % attack.habits.count]
                taken.append(try await Self.connect(server, from: address, habit))
                guard number.isMultiple(of: 20) else { continue }
                let user = try await Self.connect(server, from: "192.0.2.\(number / 20)", Self.hello)
                #expect(await user.reply()?.text == "hello", "after \(number)")
            }
            #expect(server.book.count("displaced poll") == 0)
            server.polls.settle()
            for client in carrier { #expect(await client.reply()?.status == 200) }
            // A new user of the carrier may be refused while polls hold all places, and comes again.
            let isServed = try await eventually {
                await (try await Self.connect(server, from: "198.51.100.7", Self.hello)).reply()?.text == "hello"
            }
            #expect(isServed)
            #expect(server.server.openConnections <= Self.limits.connections)
            withExtendedLifetime(taken) {}
        }
    }

    /// If everything polls, polls give way: they are answered early, and their clients ask again.
    @Test(arguments: networks)
    func `polls are answered early and never cut`(_ name: String, _ addresses: [String]) async throws {
        try await withServer(loops: 2, limits: Self.limits, proxies: ProxiedConnectionTests.loopback) { server in
            var carrier: [RawClient] = []
            for _ in 0..<(3000 / 24) { carrier.append(try await Self.connect(server, from: "198.51.100.7", Self.poll)) }
            var taken: [RawClient] = []
            for number in 0..<1200 {
                taken.append(
                    try await Self.connect(server, from: addresses[number % addresses.count], Self.poll))
            }
            var users: [RawClient] = []
            for number in 0..<60 {
                let user = try await Self.connect(server, from: "192.0.2.\(number)", Self.hello)
                #expect(await user.reply()?.text == "hello", "user \(number)")
                users.append(user)
            }
            server.polls.settle()
            var early = 0
            for client in carrier {
                let reply = await client.reply()
                if reply?.status == 200 { continue }
                early += 1
                #expect(reply?.status == 304)
                #expect(reply?.closes == true)
                #expect(await client.isEnded())
                let again = try await Self.connect(server, from: "198.51.100.7", Self.poll)
                #expect(await again.reply()?.status == 200, "whoever gave way may return")
            }
            #expect(early <= server.book.count("displaced poll"))
            #expect(early <= 2 * users.count, "as many as others need, and no more")
        }
    }

    /// Nothing that a user would miss gives way: a request being handled, an upload, and bytes that wait for the client.
    @Test func `work is never interrupted`() async throws {
        var limits = Self.limits
        limits.connections = 60
        limits.connectionsPerAddress = 60
        try await withServer(loops: 2, limits: limits, proxies: ProxiedConnectionTests.loopback) { server in
            let uploads = try await (0..<20).asyncMap { _ in
                try await Self.connect(
                    server, from: "203.0.113.1", "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx")
            }
            let slow = try await (0..<3).asyncMap { _ in
                try await Self.connect(server, from: "203.0.113.1", "GET /big HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            let handled = try await (0..<37).asyncMap { _ in
                try await Self.connect(server, from: "203.0.113.1", "GET /held HTTP/1.1\r\nHost: a\r\n\r\n")
            }
            // One of them has no place: the one whose PROXY header was read last.
            let held = await server.held.take(36)
            #expect(held.count == 36)
            for number in 0..<20 {
                let user = try await Self.connect(server, from: "192.0.2.\(number)", Self.hello)
                #expect([200, 503].contains(await user.reply()?.status))
            }
            for kind in Displacement.allCases { #expect(server.book.count("displaced \(kind.rawValue)") == 0) }
            for client in uploads {
                await client.send("y")
                #expect(await client.reply()?.text == "POST xy")
            }
            for client in slow { #expect(await client.reply()?.body.count == TestHandler.big.count) }
            for handle in held { handle.respond(Response(.ok, text: "late")) }
            var late = 0
            for client in handled {
                let reply = await client.reply()
                late += reply?.text == "late" ? 1 : 0
                #expect(reply?.text == "late" || reply?.status == 503)
            }
            #expect(late == 36)
        }
    }

    /// A keep-alive connection of which the next request is under way.
    @Test func `a short pause is not idle`() async throws {
        var limits = Self.limits
        limits.connections = 64
        limits.connectionsPerAddress = 64
        try await withServer(
            loops: 1, limits: limits, proxies: ProxiedConnectionTests.loopback, clock: StoppedClock()
        ) { server in
            let clients = try await (0..<62).asyncMap { _ in
                try await Self.connect(server, from: "203.0.113.1", Self.hello)
            }
            for client in clients { #expect(await client.reply()?.text == "hello") }
            var users = [try await Self.connect(server, from: "192.0.2.1", Self.hello)]
            #expect(await users[0].reply()?.text == "hello")
            #expect(server.book.count("displaced idle") == 0)
            await server.pass(.seconds(2))
            users.append(try await Self.connect(server, from: "192.0.2.2", Self.hello))
            #expect(await users[1].reply()?.text == "hello")
            #expect(await server.waits { $0.book.count("displaced idle") > 0 })
            #expect(server.book.count("displaced idle") < 10)
        }
    }
}

extension Range<Int> {
    fileprivate func asyncMap<Value>(_ make: (Int) async throws -> Value) async throws -> [Value] {
        var values: [Value] = []
        for number in self { values.append(try await make(number)) }
        return values
    }
}
