import EndToEndSupport
import Foundation
import TestSupport
import Testing

/// The server runs behind nginx, whose configuration is the block of docs/how-to/behind-a-proxy.md.
///
/// `make soak PARTS=machines` restarts servers behind the same block under load.
@Suite(.blocking, .enabled(if: MissingTool(of: "nginx") == nil || TestTier.isWhole, "nginx is not installed"))
struct BehindNginxTests {
    /// nginx starts with the page's words, and a long poll and an event stream pass through it. Only the addresses and
    /// the certificate's files are others.
    @Test func `the block of the page is complete`() async throws {
        let stage = try DurableStage(
            "\(DurableStage.immediate)\nproxy: {header: x-forwarded-for, trusted: [127.0.0.1]}")
        let server = try await stage.serve()
        let certificates = try TestCertificates([.good])
        defer { certificates.remove() }
        let port = try FreePort.find()
        var sample = try NginxSample()
        try sample.set("server 127.0.0.1:8080", to: ["server 127.0.0.1:\(stage.appPort)"])
        try sample.set("listen 443", to: ["listen 127.0.0.1:\(port)"])
        try sample.set("ssl_certificate ", to: ["ssl_certificate \(certificates.certificate(.good)); #"])
        try sample.set("ssl_certificate_key ", to: ["ssl_certificate_key \(certificates.key(.good)); #"])
        let nginx = try Nginx(in: certificates.folder, servers: [sample.text])
        let curl = try ChildProcess(
            tool: "curl",
            [
                "--silent", "--show-error", "--fail", "--cacert", certificates.authority, "--max-time", "20",
                "https://localhost:\(port)/v1/providers",
            ], in: certificates.folder, output: "\(certificates.folder)/said")
        #expect(curl.end())
        #expect(try String(contentsOfFile: "\(certificates.folder)/said", encoding: .utf8).contains("\"demo\""))
        nginx.stop()
        server.send(SIGTERM)
        #expect(server.end())
        await stage.stop()
    }

    /// Each part of the block that an operator may lose has a line.
    @Test(arguments: [
        "max_fails=0", "ssl_certificate ", "ssl_certificate_key ", "proxy_http_version 1.1", "proxy_buffering off",
        "proxy_next_upstream error timeout http_503 non_idempotent",
    ]) func `the block has each part that matters`(_ words: String) throws {
        #expect(try NginxSample().text.contains(words))
    }
}
