import Foundation
import TestSupport
import Testing

/// nginx on loopback with certificates of a private authority, each on its own port.
final class TLSServer: Sendable {
    /// What is wrong with the server, if anything.
    enum Port: String, CaseIterable {
        case good, unknownAuthority, otherName, expired, notYet, selfSigned, soonExpired
        case oldProtocol, oldest, plain
        /// The server knows no protocol but TLS 1.2.
        case tls12
        /// The server requires a client certificate, or accepts any.
        case clientRequired, clientUnchecked

        var certificate: TestCertificates.Name { TestCertificates.Name(rawValue: self.rawValue) ?? .good }
    }

    /// Also true in the whole test tier, where a missing program must be a failure.
    static var isThere: Bool {
        MissingTool(of: "nginx", "openssl") == nil || TestTier.isWhole
    }

    let certificates: TestCertificates
    private let ports: [Port: UInt16]
    private let nginx: Nginx

    var authority: String { self.certificates.authority }

    init() throws {
        let certificates = try TestCertificates()
        self.certificates = certificates
        do {
            let ports = try Dictionary(uniqueKeysWithValues: Port.allCases.map { ($0, try FreePort.find()) })
            self.ports = ports
            self.nginx = try Nginx(
                in: certificates.folder, servers: ports.map { Self.block($0, number: $1, certificates) })
        } catch {
            certificates.remove()
            throw error
        }
    }

    func url(_ port: Port, host: String = "localhost") -> String { "https://\(host):\(self.ports[port] ?? 0)/" }

    func stop() {
        self.nginx.stop()
        self.certificates.remove()
    }

    private static func block(_ port: Port, number: UInt16, _ certificates: TestCertificates) -> String {
        let protocols =
            switch port {
            case .oldProtocol: "TLSv1.1"
            case .oldest: "TLSv1"
            case .tls12: "TLSv1.2"
            default: "TLSv1.2 TLSv1.3"
            }
        let clients =
            switch port {
            case .clientRequired: NginxFront.Clients.required
            case .clientUnchecked: NginxFront.Clients.unchecked
            default: NginxFront.Clients.none
            }
        return """
            server {
                listen 127.0.0.1:\(number) \(port == .plain ? "" : "ssl");
                ssl_certificate \(certificates.certificate(port.certificate));
                ssl_certificate_key \(certificates.key(port.certificate));
                ssl_protocols \(protocols);
                # For TLS 1.2, where libcurl takes no tickets.
                ssl_session_cache shared:sessions:1m;
                ssl_ciphers DEFAULT@SECLEVEL=0;
                ssl_verify_client \(clients.rawValue);
                ssl_client_certificate \(certificates.authority);
                location / { return 200 "fine$ssl_client_s_dn"; }
                location /session { return 200 "$ssl_protocol $ssl_session_reused"; }
            }
            """
    }
}

/// Starts one server for a suite and stops it afterwards.
struct WithTLSServer: SuiteTrait, TestScoping {
    @TaskLocal static var current: Result<TLSServer, any Error>?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let server = Result { try TLSServer() }
        defer { try? server.get().stop() }
        try await Self.$current.withValue(server) { try await function() }
    }
}
