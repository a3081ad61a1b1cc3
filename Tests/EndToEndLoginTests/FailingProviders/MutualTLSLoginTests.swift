import EndToEndSupport
import Foundation
import Sandbox
import StrictJSON
import TestSupport
import Testing

/// Whole logins with `tls_client_auth` and `self_signed_tls_client_auth` (RFC 8705): nginx in front of the sandbox
/// requests the certificate at the origin of the endpoint aliases, and the sandbox identifies the client by it.
@Suite(
    .blocking,
    .enabled(
        if: MissingTool(of: "nginx", "openssl") == nil
            || TestTier.isWhole,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"))
struct MutualTLSLoginTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var authentication = SandboxClient.Authentication.tlsClientAuth
        var clients = NginxFront.Clients.required
        var style = "plain"
        /// The certificate that the broker knows us by, and the one that we present.
        var known = TestCertificates.Name.client
        var shown = TestCertificates.Name.client
        /// What the discovery document has in place of the aliases: `.null` for none, or a token endpoint.
        var aliases: JSON?
        /// Whether the endpoints themselves request the certificate, without aliases.
        var isWithoutAliases = false
        /// The error in the log; nil for a login that completes.
        var broken: String?

        var testDescription: String {
            "\(self.authentication.rawValue) \(self.style) \(self.shown.rawValue) \(self.broken ?? "")"
        }
    }

    private static let selfSigned = Row(
        authentication: .selfSignedTLSClientAuth, clients: .unchecked, known: .selfSignedClient,
        shown: .selfSignedClient)

    static let rows: [Row] = [
        Row(), Row(style: "par"), Row(known: .rsaClient, shown: .rsaClient),
        selfSigned, Self.with(selfSigned) { $0.style = "par" },
        // fapi2-security-profile-final-client-test-happy-path-no-mtls-endpoint-aliases
        Row(style: "par", isWithoutAliases: true),
        // The authority issued this certificate, but it is not ours.
        Row(shown: .rsaClient, broken: "token_error_invalid_client"),
        Row(style: "par", shown: .rsaClient, broken: "par_error_invalid_client"),
        // nginx refuses this certificate.
        Row(shown: .otherClient, broken: "token_status_400"),
        Self.with(selfSigned) {
            $0.shown = .client
            $0.broken = "token_error_invalid_client"
        },
        // The plain endpoint requests no certificate.
        Row(aliases: .null, broken: "token_error_invalid_client"),
        Row(aliases: ["token_endpoint": "https://elsewhere.example/token"], broken: "token_request_endpoint_alias"),
    ]

    private static func with(_ row: Row, _ change: (inout Row) -> Void) -> Row {
        var row = row
        change(&row)
        return row
    }

    @Test(arguments: rows) func `each login ends as it should`(_ row: Row) async throws {
        let certificates = try TestCertificates(Array(Set([.good, row.known, row.shown])))
        defer { certificates.remove() }
        let port = try FreePort.find()
        let stage = try await FailingStage(try Self.broker(row, port, certificates))
        let nginx = try NginxFront(
            port: port, upstream: stage.upstream, certificates: certificates, clients: row.clients)
        if let aliases = row.aliases {
            stage.front.conduct(
                at: FailingRow.metadata,
                .changesDocument { $0["mtls_endpoint_aliases"] = aliases == .null ? nil : aliases })
        }
        if row.isWithoutAliases {
            stage.front.conduct(
                at: FailingRow.metadata,
                .changesDocument { document in
                    for (name, url) in document["mtls_endpoint_aliases"]?.object ?? [:] { document[name] = url }
                    document["mtls_endpoint_aliases"] = nil
                })
        }
        let app = PhoneApp(stage.url)
        var browser = try await stage.open(app)
        if let broken = row.broken, broken.hasPrefix("par") {
            #expect(try await app.poll().json?["reason"]?["code"]?.string == "broker_error")
            #expect(try await stage.brokerErrors("login_open_failed") == [broken])
        } else if let broken = row.broken {
            try await browser.submit(button: "approve")
            let code = try await app.waitForEnd()["reason"]?["code"]?.string
            #expect(code == (broken.contains("_error_") ? "broker_error" : "broker_unavailable"))
            #expect(try await stage.brokerErrors("login_exchange_failed") == [broken])
        } else {
            try await browser.submit(button: "approve")
            #expect(try await app.waitForEnd()["status"]?.string == "completed")
            let isAsked = ["/token", "/userinfo", "/par"].map(stage.front.requests).contains { $0 > 0 }
            #expect(!isAsked, "the aliases bypass the front")
        }
        nginx.stop()
        await stage.stop()
    }

    private static func broker(_ row: Row, _ port: UInt16, _ certificates: TestCertificates) throws -> FailingBroker {
        var broker = FailingBroker()
        broker.mutualTLS = "https://localhost:\(port)"
        broker.authentication = row.authentication
        broker.certificate = try Self.bytes(of: certificates.certificate(row.known))
        broker.settings = """
            client_authentication: \(row.authentication.rawValue), request_style: \(row.style), \
            allow_private_addresses: true, ca_file: "\(certificates.authority)", \
            client_certificate_file: "\(certificates.certificate(row.shown))", \
            client_key_file: "\(certificates.key(row.shown))"
            """
        return broker
    }

    /// Returns the DER bytes of a PEM file.
    private static func bytes(of file: String) throws -> [UInt8] {
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
            !$0.hasPrefix("-")
        }
        return Array(try #require(Data(base64Encoded: lines.joined())))
    }
}
