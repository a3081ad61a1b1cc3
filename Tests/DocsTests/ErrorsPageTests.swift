import Attestation
import ConfigurationSamples
import HTTPServer
import HTTPWire
import Logins
import Testing

@testable import LoginAPI

/// docs/reference/errors.md has every problem code and every reason. `BrokerErrorsPageTests` reads its broker errors.
@Suite struct ErrorsPageTests {
    private static func tables(_ header: String) throws -> [MarkdownPage.Table] {
        let page = try #require(Documentation.page("docs/reference/errors.md"))
        return page.tables.filter { $0.header.first == header }
    }

    // MARK: - Problem codes

    @Test func `the page has every problem code`() throws {
        let rows = try Self.tables("`code`").flatMap(\.rows)
        let codes = rows.flatMap { Inline($0[0]).code }
        #expect(codes.sorted() == Problem.Code.allCases.map(\.rawValue).sorted())
        for row in rows {
            guard let code = Inline(row[0]).code.first.flatMap(Problem.Code.init(rawValue:)) else { continue }
            #expect(row[1] == String(code.status.rawValue), "\(code.rawValue)")
            #expect((row[4] == "after `Retry-After`") == (code.retryAfter != nil), "\(code.rawValue)")
        }
    }

    @Test func `the page has every OAuth error`() throws {
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

    @Test func `the page has every reason`() throws {
        let table = try #require(try Self.tables("`reason.code`").first)
        #expect(table.rows.flatMap { Inline($0[0]).code }.sorted() == Reason.allCases.map(\.rawValue).sorted())
        for row in table.rows {
            let reason = Inline(row[0]).code.first.flatMap(Reason.init(rawValue:))
            #expect(row[1] == reason.map { String($0.retryable) })
        }
    }

    @Test func `the page has every reason of attestations`() throws {
        let part = GeneratedPart(path: "docs/reference/errors.md", source: "Sources/Attestation: Refusal")
        let rows = Refusal.allCases.map { "| `\($0.rawValue)` | \($0) |\n" }
        try part.expect("| `reason` | what is wrong |\n|---|---|\n" + rows.joined())
    }
}
