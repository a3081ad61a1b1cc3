import HTTPWire
import Testing

@testable import HTTPServer

/// Counts connections, in total and by network.
@Suite struct AdmissionControlTests {
    private static func admission(_ total: Int, perAddress: Int?) -> AdmissionControl {
        var limits = ServerLimits()
        limits.connections = total
        limits.connectionsPerAddress = perAddress
        return AdmissionControl(limits: limits)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        /// Their connections come in turn.
        let addresses: [String]
        /// How many of 1000 connections they get with a limit of 160 for each address.
        let admitted: Int

        var testDescription: String { "\(self.addresses.count) of \(self.addresses.first ?? "")" }
    }

    /// Half of the connections are for everyone. After that each network has its share: one IPv4 address or a /48 all of
    /// 160, a /56 40 and a /64 10. Nobody gets more by dividing a network. The last 31 are for those with few.
    @Test(arguments: [
        Row(addresses: ["192.0.2.1"], admitted: 500), Row(addresses: ["2001:db8::1"], admitted: 500),
        Row(addresses: (0..<16).map { "2001:db8:0:\(String($0, radix: 16))::1" }, admitted: 500),
        Row(addresses: (0..<256).map { "2001:db8:0:\(String($0, radix: 16))00::1" }, admitted: 500),
        Row(addresses: (1...4).map { "192.0.2.\($0)" }, admitted: 640),
        Row(addresses: (1...4).map { "2001:db8:\($0)::1" }, admitted: 500),
        Row(addresses: (1...64).map { "192.0.2.\($0)" }, admitted: 969),
        Row(addresses: (1...64).map { "2001:db8:\($0)::1" }, admitted: 640),
    ]) func `half is for everyone, and then each network has its share`(_ row: Row) throws {
        let admission = Self.admission(1000, perAddress: 160)
        let addresses = try row.addresses.map { try #require(IPAddress($0)) }
        for index in 0..<4000 { _ = admission.admit(addresses[index % addresses.count]) }
        #expect(admission.total == row.admitted)
    }

    /// A campus has one /64: its users are refused only while others need the room.
    @Test func `a share binds only while half is in use`() throws {
        let admission = Self.admission(100, perAddress: 16)
        let campus = try #require(IPAddress("2001:db8::1"))
        for _ in 0..<50 { #expect(admission.admit(campus) == .admitted) }
        #expect(admission.admit(campus) == .refused(.tooManyFromAddress, politely: true))
        let other = try #require(IPAddress("2001:db8:1::1"))
        #expect(admission.admit(other) == .admitted)
        #expect(admission.release(.counted, of: campus) == 50)
        #expect(admission.admit(campus) == .refused(.tooManyFromAddress, politely: true))
        #expect(admission.release(.counted, of: campus) == 49)
        #expect(admission.admit(campus) == .admitted)
    }

    @Test func `a reload changes the limits for the connections that come next`() throws {
        let admission = Self.admission(3, perAddress: 3)
        let addresses = try (1...9).map { try #require(IPAddress("192.0.2.\($0)")) }
        for address in addresses.prefix(3) { #expect(admission.admit(address) == .admitted) }
        #expect(admission.admit(addresses[3]) == .refused(.tooManyConnections, politely: true))
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerAddress) = (5, 1)
        admission.replace(limits: limits)
        #expect(admission.admit(addresses[0]) == .refused(.tooManyFromAddress, politely: true))
        #expect(admission.admit(addresses[3]) == .admitted)
        // Fewer than there are: nobody is cut off, and nobody comes in until enough have left.
        limits.connections = 2
        admission.replace(limits: limits)
        #expect(admission.total == 4)
        for address in addresses.prefix(2) { _ = admission.release(.counted, of: address) }
        #expect(admission.admit(addresses[4]) == .refused(.tooManyConnections, politely: true))
        _ = admission.release(.counted, of: addresses[2])
        #expect(admission.admit(addresses[4]) == .admitted)
    }

    @Test func `a reload does not begin to count the clients of a proxy by network`() throws {
        let admission = Self.admission(9, perAddress: nil)
        var limits = ServerLimits()
        (limits.connections, limits.connectionsPerAddress) = (3, 1)
        admission.replace(limits: limits)
        let proxy = try #require(IPAddress("192.0.2.1"))
        for _ in 0..<3 { #expect(admission.admit(proxy) == .admitted) }
        #expect(admission.admit(proxy) == .refused(.tooManyConnections, politely: true))
    }

    /// What closes is no longer counted in any of its networks.
    @Test(arguments: ["192.0.2.1", "2001:db8::1"]) func `a closed connection is forgotten`(_ text: String) throws {
        let admission = Self.admission(2, perAddress: 1)
        let address = try #require(IPAddress(text))
        for _ in 0..<100 {
            #expect(admission.admit(address) == .admitted)
            #expect(admission.admit(address) == .refused(.tooManyFromAddress, politely: true))
            #expect(admission.release(.counted, of: address) == 0)
            #expect(admission.release(.refused, of: nil) == nil)
        }
    }

    @Test func `a refused connection is not counted`() throws {
        let admission = Self.admission(1, perAddress: 5)
        let address = try #require(IPAddress("192.0.2.1"))
        #expect(admission.admit(address) == .admitted)
        for _ in 0..<10 { #expect(admission.admit(address) == .refused(.tooManyConnections, politely: true)) }
        #expect(admission.release(.counted, of: address) == 0)
        #expect(admission.admit(address) == .admitted)
    }

    /// A flood costs no more than a few connections that get a refusal.
    @Test func `polite refusals have a limit`() throws {
        let admission = Self.admission(0, perAddress: nil)
        let address = try #require(IPAddress("192.0.2.1"))
        for _ in 0..<256 { #expect(admission.admit(address) == .refused(.tooManyConnections, politely: true)) }
        #expect(admission.admit(address) == .refused(.tooManyConnections, politely: false))
        #expect(admission.release(.refused, of: nil) == nil)
        #expect(admission.admit(address) == .refused(.tooManyConnections, politely: true))
    }
}

/// Making room near the limit.
extension AdmissionControlTests {
    /// Of 640 connections the last 20 are the reserve, which small networks fill.
    private static func filled(with text: String, _ count: Int) throws -> AdmissionControl {
        let admission = Self.admission(640, perAddress: 640)
        let address = try #require(IPAddress(text))
        for _ in 0..<min(count, 620) { #expect(admission.admit(address) == .admitted) }
        for number in 620..<max(620, count) {
            let small = IPAddress(v4: 0xCB00_7100 + UInt32(number - 620))
            #expect(admission.admit(small) == .admitted)
        }
        return admission
    }

    @Test func `room is made before the reserve is used`() throws {
        let admission = try Self.filled(with: "192.0.2.1", 609)
        #expect(admission.makeRoom(at: 0, loops: 2).order == nil)
        let address = try #require(IPAddress("192.0.2.1"))
        #expect(admission.admit(address) == .admitted)
        // 610 are there. 600 would leave room for everyone.
        let order = try #require(admission.makeRoom(at: 0, loops: 2).order)
        #expect(order == AdmissionControl.RoomOrder(unused: 5, all: 0, usual: 2))
        #expect(admission.makeRoom(at: 0, loops: 2).order == nil, "once at a time")
    }

    /// When too few gave way, the reserve is for those with few connections.
    @Test func `the reserve is for clients with few connections`() throws {
        let admission = try Self.filled(with: "192.0.2.1", 620)
        #expect(admission.makeRoom(at: 0, loops: 1).order?.all == 0, "no poll, while the reserve is there")
        admission.noteRoom(leaving: 0, held: [:], at: 0)
        let (large, small) = (try #require(IPAddress("192.0.2.1")), try #require(IPAddress("192.0.2.2")))
        #expect(admission.admit(large) == .refused(.tooManyConnections, politely: true))
        for _ in 0..<4 { #expect(admission.admit(small) == .admitted) }
        #expect(admission.admit(small) == .refused(.tooManyConnections, politely: true))
        #expect(admission.makeRoom(at: 99, loops: 1).order == nil, "not for each client")
        #expect(admission.makeRoom(at: 100, loops: 1).order != nil)
    }

    /// Behind a proxy the client is known only after it was admitted. A refused one frees its slot.
    @Test func `behind a proxy too the reserve is for clients with few connections`() throws {
        let admission = try Self.filled(with: "192.0.2.1", 620)
        _ = admission.makeRoom(at: 0, loops: 1)
        admission.noteRoom(leaving: 0, held: [:], at: 0)
        admission.admitProxied()
        #expect(admission.total == 621)
        #expect(admission.count(try #require(IPAddress("192.0.2.1"))) == .refused(.tooManyConnections, politely: true))
        #expect(admission.total == 620)
        admission.admitProxied()
        #expect(admission.total == 621)
        #expect(admission.count(try #require(IPAddress("192.0.2.2"))) == .admitted)
        #expect(admission.total == 621)
    }

    /// A connection whose client is not known yet takes no room from others, and at most 256 of them may be open.
    @Test func `a client that is not known yet has no share`() throws {
        let admission = try Self.filled(with: "192.0.2.1", 620)
        for number in 1...256 {
            #expect(admission.takesProxied)
            admission.admitProxied()
            #expect(admission.total == 620 + number)
        }
        #expect(!admission.takesProxied)
        #expect(admission.makeRoom(at: 0, loops: 1).order?.all == 0, "no poll gives way to them")
        let small = try #require(IPAddress("192.0.2.2"))
        #expect(admission.count(small) == .admitted)
        for _ in 0..<255 { _ = admission.release(.unknown, of: nil) }
        #expect(admission.total == 621)
    }

    /// A client whose poll was answered early asks again.
    @Test func `a client that gave way may return`() throws {
        let admission = try Self.filled(with: "192.0.2.1", 620)
        let large = try #require(IPAddress("192.0.2.1"))
        _ = admission.makeRoom(at: 0, loops: 1)
        admission.noteRoom(leaving: 0, held: [large: 2], at: 0)
        #expect(admission.admit(large) == .admitted)
        #expect(admission.admit(large) == .admitted)
        #expect(admission.admit(large) == .refused(.tooManyConnections, politely: true))
    }

    /// The next client waits in the backlog instead of being refused.
    @Test func `a client waits while room is made`() throws {
        let admission = try Self.filled(with: "192.0.2.1", 640)
        let (order, waits) = admission.makeRoom(at: 0, loops: 2)
        #expect(order == AdmissionControl.RoomOrder(unused: 20, all: 8, usual: 2))
        #expect(waits)
        #expect(admission.makeRoom(at: 0, loops: 2).waits)
        for _ in 0..<2 { admission.noteRoom(leaving: 0, held: [:], at: 0) }
        #expect(!admission.makeRoom(at: 0, loops: 2).waits, "there is none, and the client is told so")
    }

    /// Behind an HTTP proxy all connections are the proxy's.
    @Test func `without a limit by address no connection gives way`() throws {
        let admission = Self.admission(10, perAddress: nil)
        let address = try #require(IPAddress("192.0.2.1"))
        for _ in 0..<10 { #expect(admission.admit(address) == .admitted) }
        let (order, waits) = admission.makeRoom(at: 0, loops: 1)
        #expect(order == nil)
        #expect(!waits)
    }
}
