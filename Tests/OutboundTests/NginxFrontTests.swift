import Base
import Foundation
import Outbound
import TestSupport
import Testing

/// What the server behind `NginxFront` learns about the client.
@Suite(
    .blocking,
    .enabled(
        if: TLSServer.isThere,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"))
struct NginxFrontTests {
    /// It gets the certificate or nothing, and never a field that the client itself sent.
    @Test(arguments: [TestCertificates.Name.client, .selfSignedClient, nil])
    func `nginx hands on only the client's certificate`(_ name: TestCertificates.Name?) async throws {
        let certificates = try TestCertificates([.good, .client, .selfSignedClient])
        defer { certificates.remove() }
        let behind = try FaultServer { connection in
            guard let request = connection.readRequest() else { return }
            let fields = request.split(separator: "\r\n").filter { $0.hasPrefix(NginxFront.field) }
            let value = fields.map { $0.dropFirst(NginxFront.field.count + 2) }.joined(separator: ",")
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(value.utf8.count)\r\n\r\n\(value)")
        }
        defer { behind.stop() }
        let front = try NginxFront(
            port: FreePort.find(), upstream: behind.port, certificates: certificates, clients: .unchecked)
        defer { front.stop() }

        try await withClient(change: {
            $0.caFile = certificates.authority
            $0.clientCertificateFile = name.map(certificates.certificate)
            $0.clientKeyFile = name.map(certificates.key)
        }) { client in
            let request = OutboundRequest(url: "\(front.url)/token", fields: [Parameter(NginxFront.field, "forged")])
            let text = try await client.send(request).text.removingPercentEncoding
            let expected = try name.map { try String(contentsOfFile: certificates.certificate($0), encoding: .utf8) }
            #expect(text == expected ?? "")
        }
    }
}
