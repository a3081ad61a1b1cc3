import Base
import Cryptography
import EndToEndSupport
import Foundation
import Sandbox
import TestSupport
import Testing

/// Runs the README's Python lines that verify an assertion, with a third-party JWT library.
@Suite(.blocking, .enabled(if: ForeignTools.areWanted, ForeignTools.howToGetThem))
struct ForeignAssertionTests {
    /// Returns the README's Python block for this server, app, nonce and assertion.
    private static func program(_ server: RunningServer, _ assertion: String, nonce: String) throws -> String {
        let page = try String(
            contentsOf: URL(filePath: RunningServer.publicFolder).deletingLastPathComponent()
                .appending(path: "docs/how-to/your-own-api.md"), encoding: .utf8)
        let marked = /<!-- test: assertion -->\n```python\n(.*?)```/.dotMatchesNewlines()
        let block = try #require(page.firstMatch(of: marked)?.1)
        #expect(block.split(separator: "\n").count == 8)
        let lines = block.replacing("https://login.example.com", with: server.url).replacing(
            "\"shop\"", with: "\"demo\""
        ).replacing("\"mitid\"", with: "\"\(BrokerVariant.query.name)\"")
        let shown = VerifyingCode(issuer: server.url, audience: "demo", provider: BrokerVariant.query.name).text
        #expect(shown + "\n" == lines.replacing(/\ +[#]/, with: "  #"), "the workbench shows the same code")
        return "assertion, nonce = \"\(assertion)\", \"\(nonce)\"\n\(lines)\nprint(account)"
    }

    private static func run(_ program: String) async throws -> String {
        let python = try ForeignProcess("\(ForeignTools.venv)/bin/python", ["-c", program], errors: "/dev/null")
        let line = try? await python.line()
        try await python.end()
        return line ?? ""
    }

    @Test func `the page verifies an assertion`() async throws {
        let server = try await RunningServer.start([.query], release: "return_link")
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, ["nonce": "n-1"])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query)
        let end = Patience.end
        while browser.code == nil, ContinuousClock.now < end { try await browser.reload() }
        try #require(browser.code != nil)
        let done = try await app.reportReturn(["url": .string(try #require(browser.button))])
        let assertion = try #require(done.json?["assertion"]?.string)

        let account = Base64URL.encode(
            Digest.sha256.hash(Array(server.sandbox.issuer.utf8) + [0] + Array("sandbox-dk-freja".utf8)))
        #expect(try await Self.run(Self.program(server, assertion, nonce: "n-1")) == account)
        #expect(try await Self.run(Self.program(server, assertion, nonce: "n-2")) == "", "another nonce")
        let parts = assertion.split(separator: ".")
        let forged = "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))"
        #expect(try await Self.run(Self.program(server, forged, nonce: "n-1")) == "", "another signature")
        await server.stop()
    }

    /// The right key signed it for the right app and nonce, but without a same-device proof it is worthless.
    @Test func `the README refuses an assertion without proof`() async throws {
        let server = try await RunningServer.start([.query])
        let app = PhoneApp(server.url)
        let created = try await app.create(BrokerVariant.query.name, ["nonce": "n-1"])
        var browser = try await ScriptedBrowser(opening: try #require(created.nextURL))
        try await app.finish(&browser, .query)
        let assertion = try #require(try await app.waitForEnd()["assertion"]?.string)
        #expect(try await Self.run(Self.program(server, assertion, nonce: "n-1")) == "")
        await server.stop()
    }
}
