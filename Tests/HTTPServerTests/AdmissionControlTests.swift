// Counts connections, in total and by address.

import HTTPWire
import Testing

@testable import HTTPServer

@Suite struct AdmissionControlTests {
    private static func admission(_ total: Int, perAddress: Int?) -> AdmissionControl {
        var limits = ServerLimits()
        limits.connections = total
        limits.connectionsPerAddress = perAddress
        return AdmissionControl(limits: limits)
    }

    @Test func aNetworkOfIPv6CountsAsOneAddress() throws {
        let admission = Self.admission(100, perAddress: 1)
        let one = try #require(IPAddress("2001:db8::1"))
        let neighbour = try #require(IPAddress("2001:db8::ffff:2"))
        let stranger = try #require(IPAddress("2001:db8:0:1::1"))
        #expect(admission.admit(one) == .admitted)
        #expect(admission.admit(neighbour) == .refused(.tooManyFromAddress, politely: true))
        #expect(admission.admit(stranger) == .admitted)
        #expect(admission.release(.counted, of: one) == 1)
        #expect(admission.admit(neighbour) == .admitted)
        #expect(admission.total == 2)
    }

    @Test func aRefusedOneIsNotCounted() throws {
        let admission = Self.admission(1, perAddress: 5)
        let address = try #require(IPAddress("192.0.2.1"))
        #expect(admission.admit(address) == .admitted)
        for _ in 0..<10 { #expect(admission.admit(address) == .refused(.tooManyConnections, politely: true)) }
        #expect(admission.release(.counted, of: address) == 0)
        #expect(admission.admit(address) == .admitted)
    }

    /// A flood costs no more than a few connections that get a refusal.
    @Test func politenessHasAnEnd() throws {
        let admission = Self.admission(0, perAddress: nil)
        let address = try #require(IPAddress("192.0.2.1"))
        for _ in 0..<256 { #expect(admission.admit(address) == .refused(.tooManyConnections, politely: true)) }
        #expect(admission.admit(address) == .refused(.tooManyConnections, politely: false))
        #expect(admission.release(.refused, of: nil) == nil)
        #expect(admission.admit(address) == .refused(.tooManyConnections, politely: true))
    }
}
