import Foundation
import Outbound
import TestSupport
import Testing

/// RFC 8446, RFC 9110 §4.3.4: which certificates we accept.
@Suite(
    .enabled(
        if: TLSServer.isThere,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"),
    WithTLSServer())
struct TLSTests {
    let server: TLSServer

    init() throws {
        guard let server = WithTLSServer.current else { throw MissingTool(description: "no server") }
        self.server = try server.get()
    }

    static let refusals: [(TLSServer.Port, String)] = [
        (.unknownAuthority, "unable to get local issuer certificate"),
        (.otherName, "no alternative certificate subject name matches"),
        (.expired, "certificate has expired"),
        (.notYet, "certificate is not yet valid"),
        (.selfSigned, "self-signed certificate"),
        (.oldProtocol, "protocol version"),
        (.oldest, "protocol version"),
        (.plain, "wrong version number"),
    ]

    @Test(arguments: refusals)
    func `each wrong certificate is refused with its reason`(_ port: TLSServer.Port, _ reason: String) async throws {
        let start = ContinuousClock.now
        try await withClient(change: { $0.caFile = self.server.authority }) { client in
            await #expect {
                try await client.send(OutboundRequest(url: self.server.url(port), deadline: .seconds(600)))
            } throws: {
                guard case OutboundError.certificate(let detail) = $0 else { return false }
                return detail.lowercased().contains(reason)
            }
        }
        #expect(start.duration(to: .now) < .seconds(300), "the reason is known at once, not at the deadline")
    }

    @Test func `a certificate of its authority is believed`() async throws {
        try await withClient(change: { $0.caFile = self.server.authority }) { client in
            for _ in 0..<10 {
                let request = OutboundRequest(method: .post, url: self.server.url(.good), body: Array("a=b".utf8))
                let response = try await client.send(request)
                #expect(response.text == "fine")
            }
        }
    }

    /// Loopback over https needs no permission for plain http, only the one for private addresses.
    @Test func `private addresses are reached when allowed`() async throws {
        let change: (inout OutboundSettings) -> Void = {
            $0.caFile = self.server.authority
            $0.allowInsecureLoopback = false
            $0.allowPrivateAddresses = true
        }
        try await withClient(change: change) { client in
            let response = try await client.send(OutboundRequest(url: self.server.url(.good)))
            #expect(response.status == 200)
            let plain = self.server.url(.good).replacing("https", with: "http")
            await #expect(throws: OutboundError.refused("http not allowed: localhost")) {
                try await client.send(OutboundRequest(url: plain))
            }
        }
    }

    @Test func `without its authority a certificate is not trusted`() async throws {
        try await withClient { client in
            await #expect { try await client.send(OutboundRequest(url: self.server.url(.good))) } throws: {
                ($0 as? OutboundError)?.name == "certificate"
            }
        }
    }

    /// The address is the same, but the name differs.
    @Test func `the name in the address is the one that counts`() async throws {
        try await withClient(change: { $0.caFile = self.server.authority }) { client in
            let request = OutboundRequest(url: self.server.url(.good, host: "127.0.0.1"))
            await #expect { try await client.send(request) } throws: { ($0 as? OutboundError)?.name == "certificate" }
        }
    }

    @Test func `with an empty file of authorities no server is trusted`() async throws {
        try await withClient(change: { $0.caFile = "/dev/null" }) { client in
            await #expect { try await client.send(OutboundRequest(url: self.server.url(.good))) } throws: {
                ($0 as? OutboundError)?.name == "certificate"
            }
        }
    }

    static let resumptions: [(TLSServer.Port, client: TestCertificates.Name?, [String])] = [
        (.good, nil, ["TLSv1.3 .", "TLSv1.3 r", "TLSv1.3 r"]),
        (.tls12, nil, ["TLSv1.2 .", "TLSv1.2 r", "TLSv1.2 r"]),
        // A session is that of the client certificate with which it began (RFC 8705).
        (.good, .client, ["TLSv1.3 .", "TLSv1.3 .", "TLSv1.3 ."]),
    ]

    /// RFC 8446 §2.2. nginx says `r` for a session that goes on, and `.` for a new one.
    @Test(arguments: resumptions) func `a new connection resumes the session`(
        _ port: TLSServer.Port, _ name: TestCertificates.Name?, _ expected: [String]
    ) async throws {
        let change: (inout OutboundSettings) -> Void = {
            $0.caFile = self.server.authority
            $0.clientCertificateFile = name.map(self.server.certificates.certificate)
            $0.clientKeyFile = name.map(self.server.certificates.key)
            $0.readsCertificate = true
        }
        try await withClient(change: change) { client in
            let request = OutboundRequest(method: .post, url: self.server.url(port) + "session")
            var responses: [OutboundResponse] = []
            for _ in expected { responses.append(try await client.send(request)) }
            #expect(responses.map(\.text) == expected)
            let expiry = try #require(responses.first?.certificateExpiry)
            #expect(responses.allSatisfy { $0.certificateExpiry == expiry }, "it tells its certificate each time")
        }
    }

    /// The session was made under another name, and the certificate is checked for this one.
    @Test func `a session is resumed only under its own name`() async throws {
        try await withClient(change: { $0.caFile = self.server.authority }) { client in
            let known = OutboundRequest(method: .post, url: self.server.url(.good) + "session")
            for _ in 0..<2 { _ = try await client.send(known) }
            let other = OutboundRequest(method: .post, url: self.server.url(.good, host: "127.0.0.1") + "session")
            await #expect { try await client.send(other) } throws: { ($0 as? OutboundError)?.name == "certificate" }
        }
    }

    /// To parse the system's authorities takes longer than a login, so new connections share them.
    @Test func `the authorities are read once`() async throws {
        let file = self.server.authority + ".copy"
        try FileManager.default.copyItem(atPath: self.server.authority, toPath: file)
        let reads = try FileReads(of: file)
        try await withClient(change: { $0.caFile = file }) { client in
            let request = OutboundRequest(method: .post, url: self.server.url(.good))
            for _ in 0..<3 {
                let response = try await client.send(request)
                #expect(response.text == "fine")
            }
        }
        #expect(try reads.count() == 1)
    }

    @Test func `two hundred handshakes at once succeed`() async throws {
        let request = OutboundRequest(
            method: .post, url: self.server.url(.good), body: [UInt8](repeating: 0x61, count: 700))
        try await withClient(change: { $0.caFile = self.server.authority }) { client in
            try await withThrowingTaskGroup { group in
                for _ in 0..<200 { group.addTask { try await client.send(request).text } }
                for try await text in group { #expect(text == "fine") }
            }
        }
    }
}
