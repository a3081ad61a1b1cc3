import StrictJSON
import Testing

@testable import LoginAPI

/// docs/reference/api.md has every route, member and action of Public/openapi.yaml, which is the contract.
@Suite struct APIPageTests {
    private static func page() throws -> MarkdownPage { try #require(Documentation.page("docs/reference/api.md")) }

    private static func names(below heading: String, header: String) throws -> [String] {
        let table = try Self.page().tables.first { $0.heading == heading && $0.header.first == header }
        return try #require(table).rows.flatMap { Inline($0[0]).code }
    }

    private static func schema(_ name: String) throws -> JSON {
        try #require(try Documentation.openAPI.get().root["components"]?["schemas"]?[name])
    }

    private static func members(_ schema: String) throws -> [String] {
        try #require(try Self.schema(schema)["properties"]?.object).names.sorted()
    }

    // MARK: - Routes

    @Test func `the page has every route with its responses`() throws {
        var found: [String: Set<String>] = [:]
        for answer in try Documentation.openAPI.get().described {
            // `GET /v1/logins/{id} 304`; what has no address is described in words.
            let words = answer.split(separator: " ").map(String.init)
            guard words.count == 3, words[1].hasPrefix("/") else { continue }
            found["\(words[0]) \(words[1])", default: []].insert(words[2])
        }
        var shown: [String: Set<String>] = [:]
        let tables = try Self.page().tables.filter { $0.header.first == "request" && $0.heading != "For operators" }
        for row in tables.flatMap(\.rows) {
            shown[try #require(Inline(row[0]).code.first)] = Set(row[2].split(separator: ", ").map { String($0) })
        }
        #expect(Set(shown.keys) == Set(found.keys))
        for (route, responses) in shown { #expect(responses == found[route], "\(route)") }
    }

    @Test func `the page has the routes of operations`() throws {
        let routes = OperationsRoute.table.map { "\($0.method.rawValue) \($0.pattern.text)" }
        let shown = try Self.names(below: "For operators", header: "request")
        #expect(shown == routes)
    }

    // MARK: - Members

    @Test func `the page has the members of a create`() throws {
        let (shown, known) = (
            try Self.names(below: "`POST /v1/logins`", header: "member"), try Self.members("NewLogin")
        )
        #expect(shown.sorted() == known)
    }

    @Test func `the page has the members of a login`() throws {
        let (shown, known) = (try Self.names(below: "The login", header: "member"), try Self.members("Login"))
        #expect(shown.sorted() == known)
        let table = try #require(try Self.page().tables.first { $0.heading == "The login" && $0.header[0] == "member" })
        let identity = try #require(table.rows.first { $0[0] == "`identity`" })
        let members = try Self.members("Identity")
        #expect(Inline(identity[2]).code.sorted() == members)
    }

    @Test func `the page has the members of tokens`() throws {
        let shown = try Self.names(below: "For apps: sessions", header: "member")
        #expect(shown.sorted() == (try Self.members("SessionTokens")))
    }

    @Test func `the page has the actions of next`() throws {
        let actions = try #require(try Self.schema("Next")["properties"]?["action"]?["x-extensible-enum"]?.array)
        let shown = try Self.names(below: "The login", header: "`next.action`")
        #expect(shown.sorted() == actions.compactMap(\.string).sorted())
    }
}
