import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// nginx in front of the provider, with invalid certificates, and with client certificates (RFC 8705).
@Suite(
    .blocking,
    .enabled(
        if: MissingTool(of: "nginx", "openssl") == nil
            || TestTier.isWhole,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"))
struct FailingTLSTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var shows = TestCertificates.Name.good
        var protocols = "TLSv1.2 TLSv1.3"
        var clients = NginxFront.Clients.none
        /// The certificate that the server presents.
        var client: TestCertificates.Name?
        var detail = "directory_tls"
        var outcome = "tls"
    }

    static let rows: [Row] = [
        Row(testDescription: "expired", shows: .expired),
        Row(testDescription: "not yet valid", shows: .notYet),
        Row(testDescription: "for another host", shows: .otherName),
        Row(testDescription: "of an unknown authority", shows: .unknownAuthority),
        Row(testDescription: "self-signed", shows: .selfSigned),
        Row(testDescription: "TLS 1.1 only", protocols: "TLSv1.1"),
        // nginx accepts the handshake, and refuses every request.
        Row(
            testDescription: "no client certificate", clients: .required, detail: "directory_status_400", outcome: "4xx"
        ),
        Row(
            testDescription: "another's client certificate", clients: .required, client: .otherClient,
            detail: "directory_status_400", outcome: "4xx"),
    ]

    @Test(arguments: rows) func `a certificate is refused until it is right`(_ row: Row) async throws {
        let certificates = try TestCertificates(Array(Set([.good, row.shows] + [row.client].compactMap { $0 })))
        defer { certificates.remove() }
        let port = try FreePort.find()
        let stage = try await Self.stage(port, certificates, row.client)
        let wrong = try NginxFront(
            port: port, upstream: stage.front.port, certificates: certificates, shows: row.shows, clients: row.clients,
            protocols: row.protocols)
        let app = PhoneApp(stage.url)
        var browser = try await stage.open(app)
        #expect(browser.page.status == 503)
        #expect(try await stage.brokerErrors("login_open_failed") == [row.detail])
        let direct = try await PhoneApp(stage.url).create(FailingStage.directProvider)
        #expect(direct.status == 502)
        #expect(direct.json?["code"]?.string == "broker_unreachable")
        #expect(try await stage.metric("up") == (row.outcome == "tls" ? 0 : 1))
        #expect(try #require(try await stage.requests("discovery", row.outcome)) >= 1)
        #expect(try await stage.isReady())
        #expect(stage.front.requests(at: FailingRow.metadata) == 0, "no request came through")
        wrong.stop()

        let right = try NginxFront(port: port, upstream: stage.front.port, certificates: certificates)
        stage.clock.advance(by: .seconds(6))
        try await browser.reload()
        try await browser.submit(button: "approve")
        #expect(try await app.waitForEnd()["status"]?.string == "completed")
        #expect(try await stage.metric("up") == 1)
        right.stop()
        await stage.stop()
    }

    @Test(arguments: [TestCertificates.Name.client, .rsaClient])
    func `our certificate is shown to the broker`(_ client: TestCertificates.Name) async throws {
        let certificates = try TestCertificates([.good, client])
        defer { certificates.remove() }
        let port = try FreePort.find()
        let stage = try await Self.stage(port, certificates, client)
        let front = try NginxFront(
            port: port, upstream: stage.front.port, certificates: certificates, clients: .required)
        #expect(try await stage.logIn()["status"]?.string == "completed")
        front.stop()
        await stage.stop()
    }

    /// The server uses TLS with the broker. The tests' browser cannot, so it uses the front's own port.
    private static func stage(
        _ port: UInt16, _ certificates: TestCertificates, _ client: TestCertificates.Name?
    ) async throws -> FailingStage {
        var settings = "client_secret: secret, allow_private_addresses: true, ca_file: \"\(certificates.authority)\""
        if let client {
            settings += ", client_certificate_file: \"\(certificates.certificate(client))\""
            settings += ", client_key_file: \"\(certificates.key(client))\""
        }
        let stage = try await FailingStage(
            FailingBroker(issuer: "https://localhost:\(port)", settings: settings))
        let url = stage.front.url
        stage.front.conduct(
            at: FailingRow.metadata,
            .changesDocument { document in
                let path =
                    document["authorization_endpoint"]?.string?.dropFirst("https://localhost:\(port)".count) ?? ""
                document["authorization_endpoint"] = .string(url + path)
            })
        return stage
    }
}
