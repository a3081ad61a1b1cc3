// Which requests use a connection that is open.

import Testing

@testable import Outbound

@Suite struct ReuseRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = OutboundRequest.Method.post
        var delivery = OutboundRequest.Delivery.atMostOnce
        var body: [UInt8] = [1]
        var hasCertificate = false
        /// How many seconds ago a request failed because its connection was closed.
        var closed: Int?
        let result: ConnectionReuse
    }

    @Test(arguments: [
        Row(testDescription: "a code", result: ReuseRule.once),
        Row(testDescription: "once, and nothing that libcurl could not send again", body: [], result: .none),
        Row(testDescription: "a GET that may happen once", method: .get, body: [], result: .none),
        Row(testDescription: "a code, with a client certificate", hasCertificate: true, result: .none),
        Row(testDescription: "a code, after a connection was closed", closed: 0, result: .none),
        Row(testDescription: "a code, just before the pause is over", closed: 59, result: .none),
        Row(testDescription: "a code, after the pause", closed: 60, result: ReuseRule.once),
        Row(
            testDescription: "userinfo", method: .get, delivery: .idempotent, body: [], closed: 0,
            result: ReuseRule.usual),
    ]) func connections(_ row: Row) {
        var settings = OutboundSettings(allowedHosts: ["id.example.com"])
        if row.hasCertificate { settings.clientCertificateFile = "client.pem" }
        let request = OutboundRequest(
            method: row.method, delivery: row.delivery, url: "https://id.example.com/token", body: row.body)
        let now = ContinuousClock.now
        var rule = ReuseRule()
        if let closed = row.closed { rule.noteClosed(now: now - .seconds(closed)) }
        #expect(rule.connections(for: Transfer(request, settings: settings), now: now) == row.result)
    }
}
