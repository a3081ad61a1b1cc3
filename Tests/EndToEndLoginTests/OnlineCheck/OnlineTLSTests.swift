import Foundation
import TestSupport
import Testing

/// Runs `check --online` against the sandbox behind nginx, with the broker's certificates and our own.
@Suite(
    .blocking,
    .enabled(
        if: MissingTool(of: "nginx", "openssl") == nil
            || TestTier.isWhole,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"))
struct OnlineTLSTests {
    static let servers: [(TestCertificates.Name, String, String)] = [
        (.good, "ok: main: connection: the certificate of ISSUER expires on 2099-01-01, in ", " days"),
        (.soonExpired, "warning: main: connection: the certificate of ISSUER expires on ", "renew it soon"),
        (.expired, "error: main: connection: ", "certificate has expired: the broker must correct it"),
        (.otherName, "error: main: connection: ", ": the broker must correct it"),
        (
            .unknownAuthority, "error: main: connection: ",
            ": the broker leaves out its intermediate certificate (ask it to send the whole chain), "
                + "or it has its own authority (name it in ca_file)"
        ),
        (.selfSigned, "error: main: connection: ", "if the broker has its own authority, name it in ca_file"),
    ]

    @Test(arguments: servers)
    func `the broker's certificate is checked`(_ name: TestCertificates.Name, _ start: String, _ end: String)
        async throws
    {
        let lines = try await Self.findings(shows: name)
        let line = try #require(lines.first { $0.contains(": connection: ") })
        #expect(line.hasPrefix(start) && line.hasSuffix(end), "\(line)")
    }

    @Test func `our own certificate is checked`() async throws {
        let good = try await Self.findings(client: .client, key: .client, clients: .required)
        #expect(good[0].hasPrefix("ok: main: client_certificate_file: our certificate expires on 2099-01-01, in "))
        #expect(good.contains { $0.hasPrefix("ok: main: discovery: ") })
        let other = try #require(try await Self.findings(client: .client, key: .rsaClient).first)
        #expect(other.hasPrefix("error: main: connection: "))
        #expect(other.contains(" is not the key of the certificate in "))
        #expect(other.hasSuffix(": check client_certificate_file, client_key_file and ca_file"))
    }

    @Test(arguments: [nil, TestCertificates.Name.otherClient])
    func `a certificate of ours that is refused is named`(_ client: TestCertificates.Name?) async throws {
        let lines = try await Self.findings(client: client, key: client, clients: .required)
        let line = "ISSUER wants a client certificate that it knows: ask the broker which one"
        #expect(lines.contains("error: main: client_certificate_file: \(line)"), "\(lines)")
    }

    /// RFC 8705 §5: an mTLS endpoint alias with its own certificate, which requires ours.
    @Test(arguments: [(TestCertificates.Name.client, true), (.otherClient, false)])
    func `the place where our certificate is shown is asked`(_ client: TestCertificates.Name, _ isTaken: Bool)
        async throws
    {
        let certificates = try TestCertificates([.good, client])
        defer { certificates.remove() }
        let stage = try OnlineStage()
        let front = try NginxFront(
            port: try FreePort.find(), upstream: stage.upstream, certificates: certificates, clients: .required)
        stage.change { $0["mtls_endpoint_aliases"] = ["token_endpoint": .string("\(front.url)/token")] }
        let lines = try await stage.findings(
            """
            client_authentication: tls_client_auth, allow_private_addresses: true, \
            ca_file: "\(certificates.authority)", \
            client_certificate_file: "\(certificates.certificate(client))", client_key_file: "\(certificates.key(client))"
            """)
        #expect(lines.contains { $0.hasPrefix("ok: main: connection: the certificate of \(front.url) expires on ") })
        let refusal = "error: main: client_certificate_file: \(front.url) wants a client certificate that it knows: "
        #expect(lines.contains { $0.hasPrefix(refusal) } != isTaken, "\(lines)")
        front.stop()
        await stage.stop()
    }

    private static func findings(
        shows name: TestCertificates.Name = .good, client: TestCertificates.Name? = nil,
        key: TestCertificates.Name? = nil, clients: NginxFront.Clients = .none
    ) async throws -> [String] {
        let certificates = try TestCertificates(Array(Set([name] + [client, key].compactMap { $0 })))
        defer { certificates.remove() }
        let port = try FreePort.find()
        let stage = try OnlineStage(issuer: "https://localhost:\(port)")
        let front = try NginxFront(
            port: port, upstream: stage.upstream, certificates: certificates, shows: name, clients: clients)
        var settings = "client_secret: x, allow_private_addresses: true, ca_file: \"\(certificates.authority)\""
        if let client, let key {
            settings += ", client_certificate_file: \"\(certificates.certificate(client))\""
            settings += ", client_key_file: \"\(certificates.key(key))\""
        }
        let lines = try await stage.findings(settings, issuer: front.url)
        front.stop()
        await stage.stop()
        return lines
    }
}
