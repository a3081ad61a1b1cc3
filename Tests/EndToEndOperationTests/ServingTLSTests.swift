import EndToEndSupport
import EventLoop
import Foundation
import Outbound
import TestSupport
import Testing

/// The server with its two TLS settings, called by libcurl with full verification.
@Suite struct ServingTLSTests {
    @Test func `two settings are enough for TLS`() async throws {
        let minted = try MintedIdentity(["localhost"])
        let server = try await RunningServer.start(
            [.query], settings: "tls: {certificate: tls.pem, key: tls.key}",
            files: ["tls.pem": minted.certificate, "tls.key": minted.key])
        let authority = NSTemporaryDirectory() + "switchback-tls-\(UUID().uuidString).pem"
        try Data(minted.certificate).write(to: URL(filePath: authority))
        defer { try? FileManager.default.removeItem(atPath: authority) }
        let loop = try EventLoop(name: "test")
        var settings = OutboundSettings(allowedHosts: ["localhost", "127.0.0.1"])
        settings.allowPrivateAddresses = true
        settings.caFile = authority
        let client = try OutboundClient(loop: loop, settings: settings)

        let answer = try await client.send(OutboundRequest(url: "https://localhost:\(server.port)/v1/providers"))
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("\"providers\""))
        await #expect(throws: OutboundError.self, "the certificate is not for this name") {
            try await client.send(OutboundRequest(url: "https://127.0.0.1:\(server.port)/v1/providers"))
        }
        // The server's response before it has read a request is not part of the API.
        DescribedAnswers.end(port: server.port)
        let plain = try await TestClient.send("GET", "\(server.url)/nowhere")
        #expect(plain.status == 400)
        #expect(plain.json?["code"] == "https_required")
        #expect(try await TestClient.send("GET", "\(server.operations)/livez").status == 200)
        let metrics = try await TestClient.send("GET", "\(server.operations)/metrics").text
        #expect(metrics.contains("switchback_http_refused_total{cause=\"handshake_plain_http\"} 1\n"))
        #expect(server.log.text.contains("\"file\":\"tls.pem\""))
        #expect(server.log.text.contains("public_url: begins with http"))
        #expect(!server.log.text.contains("PRIVATE"))

        await client.close()
        loop.close()
        await server.stop()
    }
}
