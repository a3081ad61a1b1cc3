import Base
import Glibc
import Outbound
import TestSupport
import Testing

/// RFC 8705: the certificate that we show, and the errors when it is not valid.
@Suite(
    .blocking,
    .enabled(
        if: TLSServer.isThere,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"),
    WithTLSServer())
struct ClientCertificateTests {
    let server: TLSServer

    init() throws {
        guard let server = WithTLSServer.current else { throw MissingTool(description: "no server") }
        self.server = try server.get()
    }

    private func show(_ name: TestCertificates.Name?) -> (inout OutboundSettings) -> Void {
        { settings in
            settings.caFile = self.server.authority
            settings.clientCertificateFile = name.map(self.server.certificates.certificate)
            settings.clientKeyFile = name.map(self.server.certificates.key)
        }
    }

    /// nginx completes the handshake with each of these, and then refuses the request.
    static let shown: [(TestCertificates.Name?, TLSServer.Port, Int, String)] = [
        (nil, .clientRequired, 400, "No required SSL certificate was sent"),
        (.otherClient, .clientRequired, 400, "The SSL certificate error"),
        (.selfSignedClient, .clientRequired, 400, "The SSL certificate error"),
        (.client, .clientRequired, 200, "fineCN=client.example"),
        (.rsaClient, .clientRequired, 200, "fineCN=client.example"),
        (nil, .clientUnchecked, 200, "fine"),
        (.selfSignedClient, .clientUnchecked, 200, "fineCN=client.example"),
        (.client, .good, 200, "fine"),
    ]

    @Test(arguments: shown)
    func `the configured certificate is shown`(
        _ name: TestCertificates.Name?, _ port: TLSServer.Port, _ status: Int, _ text: String
    ) async throws {
        try await withClient(change: self.show(name)) { client in
            for _ in 0..<3 {
                let response = try await client.send(OutboundRequest(url: self.server.url(port)))
                #expect(response.status == status)
                #expect(response.text == text || (status == 400 && response.text.contains(text)))
            }
        }
    }

    /// A server that refuses in the handshake. With TLS 1.3 we learn it only when we read.
    @Test(arguments: [("-tls1_2", "handshake failure"), ("-tls1_3", "certificate required")])
    func `a handshake without a required certificate is refused`(_ version: String, _ reason: String) async throws {
        let port = try FreePort.find()
        let certificates = self.server.certificates
        let process = try ChildProcess(
            tool: "openssl",
            [
                "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "good.pem", "-key", "good.key", "-www", version,
                "-CAfile", "authority.pem", "-Verify", "1", "-verify_return_error",
            ], in: certificates.folder)
        defer {
            process.terminate()
            _ = process.end()
        }
        let request = OutboundRequest(url: "https://localhost:\(port)/")
        try await withClient(change: self.show(nil)) { client in
            let error = await Self.answer(client, request).error
            guard case .certificate(let detail) = error else { throw error ?? .broken("an answer") }
            #expect(detail.contains(reason))
        }
        try await withClient(change: self.show(.client)) { client in
            #expect(await Self.answer(client, request).failure == "200")
        }
    }

    /// Returns the first response from a server that has just been started.
    private static func answer(
        _ client: OutboundClient, _ request: OutboundRequest
    ) async -> Result<OutboundResponse, OutboundError> {
        let limit = Patience.end
        while true {
            do throws(OutboundError) { return .success(try await client.send(request)) } catch {
                guard case .unreachable = error, ContinuousClock.now < limit else { return .failure(error) }
            }
        }
    }

    /// The certificate, the key, and the error: reported at the start and not at the first request.
    enum Pair: String, CaseIterable {
        case noCertificateFile, noKeyFile, notTheKey, notTheKind, lockedKey, certificateAsKey, keyAsCertificate, nothing

        func files(_ certificates: TestCertificates) -> (certificate: String, key: String, reason: String) {
            let (certificate, key) = (certificates.certificate(.client), certificates.key(.client))
            switch self {
            case .noCertificateFile: return ("/nowhere", key, "cannot read /nowhere")
            case .noKeyFile: return (certificate, "/nowhere", "cannot read /nowhere")
            case .notTheKey:
                let other = certificates.key(.otherClient)
                return (certificate, other, "\(other) is not the key of the certificate in \(certificate)")
            case .notTheKind:
                let other = certificates.key(.rsaClient)
                return (certificate, other, "\(other) is not the key of the certificate in \(certificate)")
            case .lockedKey:
                let locked = certificates.key(.lockedClient)
                return (
                    certificates.certificate(.lockedClient), locked, "no private key without a password in \(locked)"
                )
            case .certificateAsKey:
                return (certificate, certificate, "no private key without a password in \(certificate)")
            case .keyAsCertificate: return (key, key, "no certificate in \(key)")
            case .nothing: return ("/dev/null", key, "no certificate in /dev/null")
            }
        }
    }

    @Test(arguments: Pair.allCases) func `the certificate is checked at the start`(_ pair: Pair) async throws {
        let (certificate, key, reason) = pair.files(self.server.certificates)
        let change: (inout OutboundSettings) -> Void = {
            $0.clientCertificateFile = certificate
            $0.clientKeyFile = key
        }
        await #expect(throws: OperatorError(reason)) { try await withClient(change: change) { _ in } }
    }

    @Test func `a client tells when its certificate ends`() async throws {
        try await withClient(change: self.show(.client)) { #expect($0.clientCertificateExpiry == 4_070_908_800) }
        try await withClient(change: self.show(nil)) { #expect($0.clientCertificateExpiry == nil) }
    }

    @Test func `a client tells when the server's certificate ends`() async throws {
        let now = time(nil)
        try await withClient(change: {
            $0.caFile = self.server.authority
            $0.readsCertificate = true
        }) { client in
            let good = try await client.send(OutboundRequest(url: self.server.url(.good)))
            #expect(good.certificateExpiry == 4_070_908_800)
            let soon = try await client.send(OutboundRequest(url: self.server.url(.soonExpired)))
            let rest = try #require(soon.certificateExpiry) - now
            #expect((4 * 86_400...5 * 86_400 + 60).contains(rest))
            #expect(abs(try #require(soon.date) - now) < 60)
        }
    }
}
