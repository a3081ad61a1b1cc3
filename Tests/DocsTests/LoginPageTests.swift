import OpenAPIChecking
import StrictJSON
import Testing

@testable import LoginAPI
@testable import Logins
@testable import ServerConfiguration

/// docs/explanation says the same of a login as the code: its states, its times, its proofs.
@Suite struct LoginPageTests {
    private static func page(_ name: String) throws -> MarkdownPage {
        try #require(Documentation.page("docs/explanation/\(name).md"))
    }

    // MARK: - life-of-a-login.md

    @Test func `the page has every status`() throws {
        let table = try #require(try Self.page("life-of-a-login").tables.first { $0.header[0] == "`status`" })
        #expect(table.rows.flatMap { Inline($0[0]).code } == LoginStatus.allCases.map(\.rawValue))
        for (row, status) in zip(table.rows, LoginStatus.allCases) {
            #expect(row[1] == (status.isFinal ? "yes" : "no"), "\(status.rawValue)")
        }
    }

    /// The tombstone is a state of the server, and no status of the API.
    @Test func `the drawing has every state`() throws {
        let block = try #require(
            try Self.page("life-of-a-login").blocks.first { $0.text.hasPrefix("stateDiagram-v2\n") })
        let ends = block.text.matches(of: /(\w+|\[\*\]) --> (\w+|\[\*\])/).flatMap { [String($0.1), String($0.2)] }
        #expect(Set(ends).subtracting(["[*]"]) == Set(LoginStatus.allCases.map(\.rawValue) + ["gone"]))
    }

    @Test func `the page's times are those of the code`() throws {
        let table = try #require(
            try Self.page("life-of-a-login").tables.first { $0.header.contains("how long or how many") })
        let exchange = LoginSettings(publicURL: "").exchangeDeadline
        let times = [
            Self.seconds(Login.leaseDuration), Self.seconds(exchange),
            "`code_lifetime` less \(Self.seconds(exchange)), at least \(Self.seconds(LoginSettings.shortestWait))",
            "\(Int(Login.tombstoneLifetime / .seconds(3600))) h", Self.seconds(Login.unstartedTombstoneLifetime),
            String(AuthorizationAttempt.maxAtOnce), String(Login.maxCodeTries), "\(AssertionSigner.lifetime) s",
        ]
        #expect(table.rows.map { $0[1] } == times)
    }

    private static func seconds(_ duration: Duration) -> String { "\(Int(duration / .seconds(1))) s" }

    // MARK: - same-device-proof.md

    @Test func `the page has every proof`() throws {
        let page = try Self.page("same-device-proof")
        let table = try #require(page.tables.first { $0.header[0] == "`proof`" })
        let login = try Documentation.openAPI.get().root["components"]?["schemas"]?["Login"]
        let proofs = try #require(login?["properties"]?["proof"]?["x-extensible-enum"]?.array).compactMap(\.string)
        #expect(Set(table.rows.flatMap { Inline($0[0]).code }) == Set(proofs))
        let named = Set(page.passages.flatMap { Inline($0.text).code })
        #expect(named.isSuperset(of: ReleasePolicy.words.map(\.key)))
    }
}
