import EndToEndSupport
import Foundation
import Testing

/// The server with `proxy.header: proxy`: limits by address apply to the client behind the proxy.
@Suite struct BehindProxyHeaderTests {
    private static let settings = """
        proxy: {header: proxy, trusted: [127.0.0.1]}
        limits: {create_per_address_per_minute: 1, create_per_app_per_minute: 0}
        """

    @Test func `limits are for the client behind the proxy`() async throws {
        let server = try await RunningServer.start([.query], settings: Self.settings)
        let create = "{\"provider\": \"\(BrokerVariant.query.name)\"}"
        let request = """
            POST /v1/logins HTTP/1.1\r
            Host: a\r
            Connection: close\r
            Content-Type: application/json\r
            X-Forwarded-For: 203.0.113.99\r
            Content-Length: \(create.utf8.count)\r
            \r
            \(create)
            """
        for (header, status) in [
            ("PROXY TCP4 192.0.2.7 192.0.2.1 1 2\r\n", "201"), ("PROXY TCP4 192.0.2.7 192.0.2.1 3 2\r\n", "429"),
            ("PROXY TCP4 192.0.2.8 192.0.2.1 1 2\r\n", "201"), ("PROXY TCP6 2001:db8::7 ::1 1 2\r\n", "201"),
            ("PROXY TCP6 2001:db8::8 ::1 1 2\r\n", "429"), ("", ""), ("PROXY TCP4\r\n", ""),
        ] {
            let answer = try await RawExchange.send(header + request, port: server.port)
            #expect(answer.split(separator: " ").dropFirst().first ?? "" == status, "behind \(header)")
        }
        await server.stop()
    }
}
