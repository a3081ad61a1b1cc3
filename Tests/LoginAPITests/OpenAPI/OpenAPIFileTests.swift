import Brokers
import Foundation
import Logins
import OpenAPIChecking
import StrictJSON
import Testing

@testable import LoginAPI

/// Tests that the file matches the code: the same paths, the same closed lists, and examples that fit their schemas.
@Suite struct OpenAPIFileTests {
    static let document = Result { () throws in
        try OpenAPIDocument(
            yaml: String(contentsOfFile: "\(HandlerBench.publicFolder)/openapi.yaml", encoding: .utf8))
    }

    /// `GET /v1/logins/*`.
    @Test func `the file has the addresses of the table`() throws {
        let document = try Self.document.get()
        let described = Set(
            document.described.filter { $0.contains(" /") }.map { answer in
                let words = answer.split(separator: " ")
                let path = words[1].split(separator: "/", omittingEmptySubsequences: false)
                return "\(words[0]) " + path.map { $0.hasPrefix("{") ? "*" : String($0) }.joined(separator: "/")
            })
        #expect(described == Set(PublicRoutes.table.map { "\($0.method.rawValue) \($0.pattern.text)" }))
    }

    /// Returns the values that are listed for a member of a schema, or for the schema itself.
    static func list(_ schema: String, _ member: String? = nil) throws -> Set<String> {
        let schema = try Self.document.get().root["components"]?["schemas"]?[schema]
        let words = member.map { schema?["properties"]?[$0] } ?? schema
        // The list is open for clients: a generator must not make a closed type of it.
        #expect(words?["type"] == "string")
        #expect(words?["enum"] == nil)
        return Set(try #require(words?["x-extensible-enum"]?.array).compactMap(\.string))
    }

    @Test func `the file has the words that are sent`() throws {
        #expect(try Self.list("Problem", "code") == Set(Problem.Code.allCases.map(\.rawValue)))
        #expect(try Self.list("OAuthError", "error") == Set(TokenEndpointError.Code.allCases.map(\.rawValue)))
        #expect(try Self.list("Reason", "code") == Set(Reason.allCases.map(\.rawValue)))
        #expect(try Self.list("Status") == Set(LoginStatus.allCases.map(\.rawValue)))
        #expect(try Self.list("Login", "proof") == Set(SameDeviceProof.allCases.map(\.rawValue)))
        #expect(try Self.list("Login", "hint") == Set(Hint.allCases.map(\.rawValue)))
        #expect(try Self.list("Identity", "assurance") == Set(Assurance.allCases.map(\.rawValue)))
    }

    /// Any request may be refused by HTTP itself.
    @Test func `every operation may be refused`() throws {
        let root = try Self.document.get().root
        let refused = try #require(root["components"]?["responses"]?["Refused"])
        #expect(
            Set(refused["x-codes"]?.array?.compactMap(\.string) ?? [])
                == Set(Problem.Code.allCases.filter(\.isOfHTTP).map(\.rawValue)))
        for path in root["paths"]?.object ?? [:] {
            for operation in path.value.object ?? [:] {
                guard let responses = operation.value["responses"] else { continue }
                #expect(responses["default"]?["$ref"] == "#/components/responses/Refused", "\(path.name)")
            }
        }
    }

    /// The file explains every code and every reason, with what to do.
    @Test func `the file explains every code and reason`() throws {
        let schemas = try #require(try Self.document.get().root["components"]?["schemas"])
        for (schema, member, words) in [
            ("Problem", "code", Problem.Code.allCases.map(\.rawValue)),
            ("Reason", "code", Reason.allCases.map(\.rawValue)),
            ("OAuthError", "error", TokenEndpointError.Code.allCases.map(\.rawValue)),
        ] {
            let text = try #require(schemas[schema]?["properties"]?[member]?["description"]?.string)
            for word in words { #expect(text.contains("`\(word)`")) }
        }
    }

    @Test func `the file has the members of a create`() throws {
        let members = try #require(
            try Self.document.get().root["components"]?["schemas"]?["NewLogin"]?["properties"]?.object?.names)
        #expect(members.sorted() == CreateBodyTests.members.map(\.name).sorted())
    }

    @Test func `the examples of the file fit their schemas`() throws {
        let document = try Self.document.get()
        var count = 0
        func walk(_ json: JSON, _ place: String) {
            if let example = json["example"], let schema = json["schema"] {
                count += 1
                #expect(document.checker.problems(example, schema, at: place) == [])
            }
            for member in json.object ?? [:] { walk(member.value, "\(place)/\(member.name)") }
        }
        walk(document.root, "")
        #expect(count >= 8)
    }

    @Test func `every reference leads somewhere`() throws {
        let document = try Self.document.get()
        func walk(_ json: JSON) {
            if let reference = json["$ref"]?.string {
                #expect(document.checker.resolve(reference) != nil, "\(reference)")
            }
            for member in json.object ?? [:] { walk(member.value) }
            for element in json.array ?? [] { walk(element) }
        }
        walk(document.root)
    }
}
