import EndToEndSupport
import Foundation
import KeyFiles
import LoginAPI
import Preflight
import ServerConfiguration
import TestSupport
import Testing

/// `check --online` reads the link files as Apple's and Google's fetchers do: from a running server through TLS, and as
/// a proxy or another server changes them.
@Suite(
    .blocking,
    .enabled(
        if: MissingTool(of: "nginx", "openssl") == nil
            || TestTier.isWhole,
        "nginx and openssl are needed (SWITCHBACK_TEST_ALL=1 makes their absence a failure)"))
struct OnlineLinkTests {
    private static let apple = "apple-app-site-association"
    private static let google = "assetlinks.json"

    /// Returns the findings about `link_url`, whose port is never 443 here.
    private static func lines(_ configuration: Configuration, _ certificates: TestCertificates?) async throws
        -> [String]
    {
        var lines: [String] = []
        try await OnlineCheck(configuration, linkAuthority: certificates?.authority).run {
            lines += $0.map(\.description)
        }
        let port = "warning: link_url: connection: Apple and Google fetch from port 443, not from "
        return lines.filter { $0.hasPrefix("error: link_url: ") || $0.contains(": link_url: ") && !$0.hasPrefix(port) }
    }

    /// The link files of a running server behind nginx.
    @Test func `the files of a running server are found`() async throws {
        let certificates = try TestCertificates([.good])
        defer { certificates.remove() }
        let port = try FreePort.find()
        let link = "https://localhost:\(port)"
        let server = try await RunningServer.start([.app, .query], app: LinkFileTests.app(link), link: link)
        let front = try NginxFront(port: port, upstream: server.port, certificates: certificates)
        let lines = try await Self.lines(server.configuration, certificates)
        #expect(lines.count == 3)
        #expect(
            lines.first?.hasPrefix("ok: link_url: connection: the certificate of \(link) expires on 2099-01-01, in ")
                == true
        )
        #expect(
            lines.dropFirst() == [
                "ok: link_url: \(Self.apple): opens ABCDE12345.com.example.demo, for /r/, /callback/\(BrokerVariant.app.name)",
                "ok: link_url: \(Self.google): opens com.example.demo, 1 certificate",
            ])
        front.stop()
        await server.stop()
    }

    /// What nginx returns at each of the two addresses, and the findings about it.
    static let fronts: [(nginx: String, apple: String, google: String)] = [
        (
            "return 302 https://other.example/;",
            "error: link_url: \(apple): the response is 302: Apple and Google do not follow it; let the proxy pass this path on before it redirects",
            "error: link_url: \(google): the response is 302: Apple and Google do not follow it; let the proxy pass this path on before it redirects"
        ),
        (
            "return 404;",
            "error: link_url: \(apple): the response is 404: let the proxy pass this path on to this server, or start the server with this configuration",
            "error: link_url: \(google): the response is 404: let the proxy pass this path on to this server, or start the server with this configuration"
        ),
        (
            "return 403;",
            "error: link_url: \(apple): the response is 403: this path must be open to everyone, without a login and from every country",
            "error: link_url: \(google): the response is 403: this path must be open to everyone, without a login and from every country"
        ),
        (
            "default_type application/octet-stream; return 200 '{}';",
            "error: link_url: \(apple): is sent as application/octet-stream, but must be application/json: the proxy must not change it",
            "error: link_url: \(google): is sent as application/octet-stream, but must be application/json: the proxy must not change it"
        ),
        (
            "default_type application/json; return 200 '<html>';",
            "error: link_url: \(apple): is not JSON: is it the file of this server?",
            "error: link_url: \(google): is not JSON: is it the file of this server?"
        ),
        (
            "default_type application/json; return 200 '{}';",
            "error: link_url: \(apple): has no list applinks.details: is it the file of this server?",
            "error: link_url: \(google): is not a list at the top level: is it the file of this server?"
        ),
        (
            "default_type application/json; return 200 '[]';",
            "error: link_url: \(apple): has no list applinks.details: is it the file of this server?",
            "error: link_url: \(google): does not name com.example.demo: is it the file of this server, with this configuration?"
        ),
        (
            "default_type application/json; root FOLDER; rewrite ^ /large.json break;",
            "error: link_url: \(apple): the response is larger than allowed: Apple reads 128 KB",
            "error: link_url: \(google): the response is larger than allowed: Apple reads 128 KB"
        ),
    ]

    @Test(arguments: fronts)
    func `files that nobody would read are named`(_ front: (nginx: String, apple: String, google: String))
        async throws
    {
        let certificates = try TestCertificates([.good])
        defer { certificates.remove() }
        let large = "\(certificates.folder)/large.json"
        try ("[" + String(repeating: " ", count: 128 * 1024) + "]").write(
            toFile: large, atomically: true, encoding: .utf8)
        let port = try FreePort.find()
        let nginx = try Nginx(
            in: certificates.folder,
            servers: [
                """
                server {
                    listen 127.0.0.1:\(port) ssl;
                    ssl_certificate \(certificates.certificate(.good));
                    ssl_certificate_key \(certificates.key(.good));
                    location /.well-known/ { \(front.nginx.replacing("FOLDER", with: certificates.folder)) }
                }
                """
            ])
        let lines = try await Self.lines(try Self.configuration("https://localhost:\(port)"), certificates)
        #expect(lines.filter { !$0.hasPrefix("ok: link_url: connection: ") } == [front.apple, front.google])
        nginx.stop()
    }

    @Test func `only authorities that phones believe are believed`() async throws {
        let certificates = try TestCertificates([.good, .unknownAuthority])
        defer { certificates.remove() }
        let port = try FreePort.find()
        let configuration = try Self.configuration("https://localhost:\(port)")
        let nobody = try await Self.lines(configuration, certificates)
        #expect(nobody.count == 2)
        #expect(nobody.allSatisfy { $0.hasSuffix(": check link_url's host, DNS and the firewall") }, "\(nobody)")
        let front = try NginxFront(port: port, upstream: 1, certificates: certificates, shows: .unknownAuthority)
        let stranger = try await Self.lines(configuration, certificates)
        #expect(
            stranger.allSatisfy {
                $0.hasSuffix(": phones trust only public authorities, and the server must send the whole chain")
            })
        // Without the test's authority the check runs as an operator runs it: Apple could not reach this address.
        let closed = try await Self.lines(configuration, nil)
        #expect(
            closed.allSatisfy {
                $0.hasSuffix(": Apple and Google come from the internet, so it needs a public address")
            })
        front.stop()
        let plain = try await Self.lines(try Self.configuration("http://localhost:\(port)"), nil)
        #expect(
            plain == [
                "error: link_url: connection: http://localhost:\(port) is not https: neither Apple nor Google fetches from it"
            ])
    }

    /// Without apps for phones there are no link files to check.
    @Test func `nothing is asked for that is not configured`() async throws {
        #expect(try await Self.lines(try Self.configuration("https://localhost:1", app: "release: code"), nil) == [])
    }

    private static func configuration(_ link: String, app: String? = nil) throws -> Configuration {
        let yaml = """
            public_url: http://127.0.0.1:1
            link_url: \(link)
            store: memory
            server_keys: [server.key]
            apps: {demo: {name: Demo, \(app ?? LinkFileTests.app(link))}}
            brokers:
              main: {kind: oidc, issuer: "http://127.0.0.1:1", client_id: us, client_secret: x, allow_insecure_loopback: true}
            providers: {demo: {broker: main, names: {en: Demo}, prompt: login}}
            """
        let files = FileAccess(["server.key": try KeyGenerator.file(.server)], isFolder: FileAccess.system.isFolder)
        return try Configuration(ConfigurationSource(name: "test", yaml: Array(yaml.utf8), flags: [], files: files))
    }
}
