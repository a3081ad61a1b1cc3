import Base
import EndToEndSupport
import Foundation
import JOSE
import KeyFiles
import Preflight
import StrictJSON
import TestSupport
import Testing

/// Runs `check --online` against the sandbox, and against a sandbox with one fault.
@Suite(.blocking) struct OnlineCheckTests {
    private static let secret = "client_secret: secret"

    /// The sandbox signs with RS256 and ES256, and has a key for each.
    @Test func `the sandbox has no findings`() async throws {
        let stage = try OnlineStage()
        let lines = try await stage.findings("\(Self.secret), id_token_algorithms: [RS256]")
        #expect(lines.allSatisfy { $0.hasPrefix("ok: main: ") }, "\(lines)")
        let subjects = lines.compactMap { $0.split(separator: ": ").dropFirst(2).first.map(String.init) }
        #expect(
            subjects == [
                "connection", "clock", "discovery", "client_authentication", "request_style", "S256", "response_mode",
                "id_token_algorithms", "providers.demo.prompt", "keys", "credentials", "redirect URI",
            ])
        await stage.stop()
    }

    @Test(arguments: OnlineRow.features + OnlineRow.contradictions + OnlineRow.documents)
    func `what the broker says is compared with the configuration`(_ row: OnlineRow) async throws {
        let stage = try OnlineStage()
        stage.change(row.change)
        let lines = try await stage.findings(row.settings, provider: row.provider)
        #expect(lines.contains(row.line), "\(lines.joined(separator: "\n"))")
        await stage.stop()
    }

    /// The token endpoint's response to a made-up code shows whether it accepts our credentials.
    static let probes: [(settings: String, client: String, line: String)] = [
        (secret, "us", "ok: main: credentials: the broker accepts them (invalid_grant for a made-up code)"),
        (
            "client_secret: another", "us",
            "error: main: credentials: the broker rejects them (invalid_client): check client_id, client_secret and basic_encoding"
        ),
        (
            secret, "somebody",
            "error: main: credentials: the broker rejects them (invalid_client): check client_id, client_secret and basic_encoding"
        ),
    ]

    @Test(arguments: probes) func `the credentials are tried once`(
        _ row: (settings: String, client: String, line: String)
    ) async throws {
        let stage = try OnlineStage()
        let lines = try await stage.findings(row.settings, client: row.client)
        #expect(lines.contains(row.line), "\(lines.joined(separator: "\n"))")
        #expect(stage.front.requests(at: "/token") == 1)
        await stage.stop()
    }

    /// A request for the login page shows whether the broker knows our redirect URI.
    static let uris: [(settings: String, entered: String, line: String)] = {
        let (known, other) = ("http://127.0.0.1:1/callback/main", "http://127.0.0.1:1/callback/main/")
        let page =
            "ok: main: redirect URI: the broker answers with a page to \(known); look at it in a browser, because some answer so to a URI that they do not know"
        let styles = [secret, "\(secret), response_mode: form_post", "\(secret), request_style: par"]
        return [(styles[0], known, page), (styles[1], known, page)] + [
            (styles[2], known, "ok: main: redirect URI: the broker knows \(known)"),
            (
                secret, other,
                "warning: main: redirect URI: the broker refuses the request (400): is \(known) entered there, byte for byte?"
            ),
            (
                styles[2], other,
                "warning: main: redirect URI: the broker refuses the request (invalid_request): is \(known) entered there, byte for byte?"
            ),
        ]
    }()

    @Test(arguments: uris) func `the broker is asked whether it knows the URI`(
        _ row: (settings: String, entered: String, line: String)
    ) async throws {
        let stage = try OnlineStage(redirectURI: row.entered)
        let lines = try await stage.findings(row.settings)
        #expect(lines.contains(row.line), "\(lines.joined(separator: "\n"))")
        await stage.stop()
    }

    /// What the authorization endpoint answers, and what that says of the redirect URI.
    static let answers: [(answer: String, level: String, words: String)] = [
        ("302 Found\r\nLocation: http://127.0.0.1:1/callback/main?error=login_required", "ok", "knows"),
        ("302 Found\r\nLocation: http://127.0.0.1:1/callback/main?error=invalid_request", "ok", "knows"),
        ("302 Found\r\nLocation: http://127.0.0.1:1/callback/main#error=x", "ok", "knows"),
        ("302 Found\r\nLocation: /login", "ok", "answers with a page"),
        ("302 Found\r\nLocation: /error?error=redirect_uri_mismatch", "warning", "leads to a page about an error"),
        ("302 Found", "warning", "redirects nowhere"), ("302 Found\r\nLocation: ", "warning", "redirects nowhere"),
        ("204 No Content", "warning", "returns 204"), ("304 Not Modified", "warning", "returns 304"),
        ("403 Forbidden", "warning", "returns 403"), ("404 Not Found", "warning", "refuses the request (404)"),
    ]

    @Test(arguments: answers) func `the response about the URI is read`(
        _ row: (answer: String, level: String, words: String)
    ) async throws {
        let stage = try OnlineStage()
        stage.front.conduct(at: "/authorize", .says("HTTP/1.1 \(row.answer)\r\nContent-Length: 0\r\n\r\n"))
        let lines = try await stage.findings(Self.secret).filter { $0.contains("main: redirect URI: ") }
        #expect(lines.count == 1 && lines[0].hasPrefix(row.level) && lines[0].contains(row.words), "\(lines)")
        await stage.stop()
    }

    /// Apple's client secret is a JWT (RFC 7519 §4.1.4).
    static let secretEnds: [(days: Int, line: String)] = [
        (100, "ok: main: client_secret: our client secret, a JWT, expires on "),
        (10, "warning: main: client_secret: our client secret, a JWT, expires on "),
        (-1, "error: main: client_secret: our client secret, a JWT, expired on "),
    ]

    @Test(arguments: secretEnds)
    func `the expiry of a JWT secret is reported`(_ row: (days: Int, line: String)) async throws {
        let stage = try OnlineStage()
        let claims = JSON.object(["exp": .integer(stage.clock.now().seconds + row.days * 86_400)]).encoded()
        let secret = "eyJhbGciOiJFUzI1NiJ9.\(Base64URL.encode(claims)).c2ln"
        let lines = try await stage.findings("client_secret: \(secret)")
        #expect(lines.contains { $0.hasPrefix(row.line) }, "\(lines.joined(separator: "\n"))")
        #expect(!lines.contains { $0.contains(secret) })
        await stage.stop()
    }

    @Test(arguments: ["e.30.s", "a.b", "secret.e30.sig"])
    func `another secret has no end`(_ secret: String) async throws {
        let stage = try OnlineStage()
        let lines = try await stage.findings("client_secret: \(secret)")
        #expect(!lines.contains { $0.contains(": client_secret: ") }, "\(lines)")
        await stage.stop()
    }

    @Test func `the probe is announced and can be left out`() async throws {
        let stage = try OnlineStage()
        let configuration = try OnlineStage.configuration(
            "client_id: us, issuer: \"\(stage.front.url)\", \(Self.secret)")
        #expect(
            OnlineCheck(configuration).announcements == [
                "main: asks the token endpoint as client us to redeem a made-up code, to see whether it accepts our credentials",
                "main: asks for the login page, once for each URI above, to see whether the broker knows it",
            ])
        let quiet = OnlineCheck(configuration, probesCredentials: false, now: stage.clock.now)
        #expect(quiet.announcements.isEmpty)
        var lines: [String] = []
        try await quiet.run { lines += $0.map(\.description) }
        #expect(!lines.contains { $0.contains("credentials") })
        #expect(stage.front.requests(at: "/token") == 0)
        await stage.stop()
    }

    @Test(arguments: [
        (401, "error: main: credentials: the broker rejects them (401): "),
        (403, "error: main: credentials: the broker rejects them (403): "),
        (404, "warning: main: credentials: the token endpoint returns 404 for a made-up code"),
    ]) func `a token endpoint without OAuth is named`(_ status: Int, _ line: String) async throws {
        let stage = try OnlineStage()
        stage.front.conduct(at: "/token", .says("HTTP/1.1 \(status) x\r\nContent-Length: 0\r\n\r\n"))
        let lines = try await stage.findings(Self.secret)
        #expect(lines.contains { $0.hasPrefix(line) }, "\(lines.joined(separator: "\n"))")
        await stage.stop()
    }

    /// Two keys share one `kid`, and the server would reject every token of either.
    @Test func `two keys of one name are seen`() async throws {
        let stage = try OnlineStage()
        let other = try PrivateKey.generate(.rsa(bits: 2048)).publicKey.jwk(keyID: "twin", use: "sig").json
        let one = try PrivateKey.generate(.rsa(bits: 2048)).publicKey.jwk(keyID: "twin", use: "sig").json
        let keys = String(decoding: JSON.object(["keys": [one, other]]).encoded(), as: UTF8.self)
        stage.front.conduct(at: "/jwks", .changes { _ in keys })
        let lines = try await stage.findings("\(Self.secret), id_token_algorithms: [RS256]")
        #expect(
            lines.contains(
                "error: main: keys: several keys have the kid twin (RS256): we refuse them; tell the broker"),
            "\(lines.joined(separator: "\n"))")
        await stage.stop()
    }

    static let conducts: [(String, FaultyFront.Conduct, String)] = [
        (FailingRow.metadata, .neverAnswers, "error: main: connection: no response in time: "),
        (FailingRow.metadata, .drips, "error: main: connection: no response in time: "),
        (FailingRow.metadata, .neverEnds, "error: main: connection: the response is larger than allowed: "),
        (FailingRow.metadata, FailingRow.outOfOrder, "error: main: discovery: the response is 503: "),
        (FailingRow.metadata, FailingRow.elsewhere, "error: main: discovery: the response is 302: redirects"),
        (
            FailingRow.metadata, FailingRow.page,
            "error: main: discovery: the document is not a JSON object: is the issuer right?"
        ),
        ("/jwks", FailingRow.outOfOrder, "error: main: keys: jwks_uri returns 503: the broker must correct it"),
        ("/jwks", FailingRow.page, "error: main: keys: jwks_uri does not return a key set"),
        ("/jwks", .neverAnswers, "error: main: keys: no response in time: "),
        (
            "/jwks", .changes { _ in #"{"keys":[{"kty":"AKP","kid":"a"}]}"# },
            "ok: main: keys: kid a is skipped: we do not use keys of its kind"
        ),
        ("/jwks", .changes { _ in #"{"keys":[]}"# }, "error: main: keys: the key set has no usable key"),
        (
            "/jwks", .changes { $0.replacing("{\"keys\":[", with: #"{"keys":[{"kty":"RSA","n":"","e":"AQAB"},"#) },
            "warning: main: keys: key 1, without kid, is skipped: "
        ),
        (
            "/jwks",
            .changes { $0.replacing("{\"keys\":[", with: #"{"keys":[{"kty":"oct","k":"AQAB","kid":"\u001b"},"#) },
            "warning: main: keys: kid ? is skipped: it is a private or a shared key"
        ),
        (
            "/jwks", .changes { $0.replacing("ES256", with: "ES384") },
            "warning: main: keys: no key for ES256: signatures with it are refused"
        ),
    ]

    @Test(arguments: conducts)
    func `each broken part is named`(_ path: String, _ conduct: FaultyFront.Conduct, _ start: String) async throws {
        let stage = try OnlineStage()
        stage.front.conduct(at: path, conduct)
        let lines = try await stage.findings(Self.secret, timeout: 2)
        #expect(lines.contains { $0.hasPrefix(start) }, "\(lines.joined(separator: "\n"))")
        await stage.stop()
    }

    @Test func `a broker where nobody listens is named`() async throws {
        let stage = try OnlineStage()
        stage.front.stop()
        let lines = try await stage.findings(Self.secret)
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("error: main: connection: "))
        #expect(lines[0].hasSuffix(": check the issuer's host, DNS and the firewall"))
        await stage.stop()
    }

    /// The server calls brokers directly, whatever the environment says.
    @Test(
        arguments: [
            (["HTTPS_PROXY": "http://proxy.example:3128"], "HTTPS_PROXY"), (["https_proxy": "x"], "https_proxy"),
            (["ALL_PROXY": "x", "NO_PROXY": "*"], "ALL_PROXY"), (["HTTPS_PROXY": "", "all_proxy": "x"], "all_proxy"),
            (["HTTPS_PROXY": ""], nil), (["HTTP_PROXY": "x", "http_proxy": "x", "NO_PROXY": "x"], nil), ([:], nil),
        ] as [([String: String], String?)]) func `a proxy that is not used is named`(
            _ variables: [String: String], _ name: String?
        )
        async throws
    {
        let stage = try OnlineStage()
        let settings = "\(Self.secret), id_token_algorithms: [RS256]"
        let reached = try await stage.findings(settings, variables: variables)
        #expect(reached.allSatisfy { $0.hasPrefix("ok: main: ") }, "\(reached)")
        stage.front.stop()
        let lines = try await stage.findings(Self.secret, variables: variables)
        #expect(lines.first?.hasPrefix("error: main: connection: ") == true)
        let warnings: [String] = lines.dropFirst().map { String($0.prefix { $0 != "," }) }
        #expect(warnings == (name.map { ["warning: main: \($0): this server uses no proxy"] } ?? []))
        await stage.stop()
    }

    static let skews: [(Int, String)] = [
        (0, "ok"), (20, "ok"), (-20, "ok"), (45, "warning"), (-45, "warning"), (70, "error"), (-70, "error"),
    ]

    /// `clock_leeway` is 60 seconds.
    @Test(arguments: skews) func `the broker's clock is compared with ours`(_ seconds: Int, _ level: String)
        async throws
    {
        let stage = try OnlineStage()
        stage.clock.advance(by: .seconds(seconds))
        let lines = try await stage.findings(Self.secret)
        let line = try #require(lines.first { $0.contains(": clock: ") })
        #expect(line.hasPrefix("\(level): main: clock: the broker's clock is "))
        #expect(abs(seconds) < 2 || line.contains(seconds > 0 ? " s behind ours" : " s ahead of ours"))
        await stage.stop()
    }

    /// The exit code that a script sees.
    @Test(arguments: [true, false]) func `an error ends the command with status one`(_ isUp: Bool) async throws {
        let stage = try OnlineStage()
        if !isUp { stage.front.stop() }
        let folder = NSTemporaryDirectory() + "switchback-check-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try SystemFile.create("\(folder)/server.key", try KeyGenerator.file(.server))
        let yaml = OnlineStage.yaml(
            "client_id: us, issuer: \"\(stage.front.url)\", client_secret: secret", server: "\(folder)/server.key",
            keys: "{}")
        try yaml.write(toFile: "\(folder)/switchback.yaml", atomically: true, encoding: .utf8)
        let binary = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "switchback")
        for (more, isFine) in [([], true), (["--online"], isUp)] {
            let process = try ChildProcess(
                path: binary.path, ["check", "--config", "\(folder)/switchback.yaml"] + more, in: folder)
            #expect(process.end() == isFine, "\(more)")
        }
        await stage.stop()
    }
}
