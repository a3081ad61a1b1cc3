/// docs/reference/errors.md has every problem code, every reason and every broker error.
import Attestation
import ConfigurationSamples
import HTTPServer
import HTTPWire
import Logins
import OpenIDConnect
import Testing

@testable import Brokers
@testable import LoginAPI

@Suite struct ErrorsPage {
    private static func tables(_ header: String) throws -> [MarkdownPage.Table] {
        let page = try #require(Documentation.page("docs/reference/errors.md"))
        return page.tables.filter { $0.header.first == header }
    }

    // MARK: - Problem codes

    @Test func itHasEveryProblemCode() throws {
        let rows = try Self.tables("`code`").flatMap(\.rows)
        let codes = rows.flatMap { Inline($0[0]).code }
        #expect(codes.sorted() == Problem.Code.allCases.map(\.rawValue).sorted())
        for row in rows {
            guard let code = Inline(row[0]).code.first.flatMap(Problem.Code.init(rawValue:)) else { continue }
            #expect(row[1] == String(code.status.rawValue), "\(code.rawValue)")
            #expect((row[4] == "after `Retry-After`") == (code.retryAfter != nil), "\(code.rawValue)")
        }
    }

    @Test func itHasEveryOAuthError() throws {
        let table = try #require(try Self.tables("`error`").first)
        #expect(
            table.rows.flatMap { Inline($0[0]).code }.sorted()
                == TokenEndpointError.Code.allCases.map(\.rawValue).sorted())
        for row in table.rows {
            let code = Inline(row[0]).code.first.flatMap(TokenEndpointError.Code.init(rawValue:))
            #expect(row[1] == code.map { String($0.status.rawValue) }, "\(row[0])")
        }
    }

    // MARK: - Reasons

    @Test func itHasEveryReason() throws {
        let table = try #require(try Self.tables("`reason.code`").first)
        #expect(table.rows.flatMap { Inline($0[0]).code }.sorted() == Reason.allCases.map(\.rawValue).sorted())
        for row in table.rows {
            let reason = Inline(row[0]).code.first.flatMap(Reason.init(rawValue:))
            #expect(row[1] == reason.map { String($0.retryable) })
        }
    }

    @Test func itHasEveryReasonOfAttestations() throws {
        let part = GeneratedPart(path: "docs/reference/errors.md", source: "Sources/Attestation: Refusal")
        let rows = Refusal.allCases.map { "| `\($0.rawValue)` | \($0) |\n" }
        try part.expect("| `reason` | what is wrong |\n|---|---|\n" + rows.joined())
    }

    // MARK: - Broker errors

    private static func words() throws -> Set<String> {
        Set(try Self.tables("`broker_error`").flatMap(\.rows).flatMap { Inline($0[0]).code })
    }

    @Test func itHasEveryRuleOfTokensAndResponses() throws {
        let rules =
            IDTokenError.allCases.map { BrokerError($0).detail }
            + AuthorizationResponseError.allCases.map { BrokerError($0).detail }
        let words = try Self.words()
        #expect(Set(rules).subtracting(words).sorted() == [])
    }

    /// `BrokerError(.unavailable, "ciba_init_auth_\(status)")` is `ciba_init_auth_…` there. What begins with a part that
    /// varies is described in words.
    @Test func itHasEveryWordThatIsWritten() throws {
        let words = try Self.words()
        for path in SourceFile.paths(below: "Sources/Brokers") + SourceFile.paths(below: "Sources/Logins") {
            for match in try SourceFile.text(path).matches(of: /BrokerError\(\s*[^,"()]+,\s*"([^"]+)"\)/) {
                let word = match.1.replacing(/\\\([^)]*\)/, with: "…")
                guard !word.hasPrefix("…") else { continue }
                #expect(words.contains(String(word)), "\(path): \(word)")
            }
        }
    }
}
