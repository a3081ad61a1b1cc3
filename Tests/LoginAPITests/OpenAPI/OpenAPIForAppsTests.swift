import Foundation
import OpenAPIChecking
import StrictJSON
import Testing

/// Tests the file for apps as YAML, because the program that makes it from the whole works on lines.
@Suite struct OpenAPIForAppsTests {
    private static let part = Result { () throws in
        try OpenAPIDocument(
            yaml: String(contentsOfFile: "\(HandlerBench.publicFolder)/openapi-app.yaml", encoding: .utf8))
    }

    private static let tags: Set = ["app", "session", "backend"]
    /// What an app's own API needs, to verify assertions and access tokens.
    private static let files: Set = ["keys", "discovery", "authorizationServer", "accessKeys"]

    /// Returns the operations by their ids.
    private static func operations(_ document: OpenAPIDocument) -> [String: JSON] {
        var operations: [String: JSON] = [:]
        for path in document.root["paths"]?.object ?? [:] {
            for member in path.value.object ?? [:] {
                if let id = member.value["operationId"]?.string { operations[id] = member.value }
            }
        }
        return operations
    }

    /// Without what only tests of the server read.
    private static func withoutSent(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            let members = object.filter { $0.name != "x-sent" }
            return .object(JSON.Object(members.map { ($0.name, Self.withoutSent($0.value)) }))
        case .array(let elements): return .array(elements.map { Self.withoutSent($0) })
        default: return json
        }
    }

    @Test func `the file has the operations for apps, and no other`() throws {
        let expected = Self.operations(try OpenAPIFileTests.document.get()).filter { operation in
            let tags = operation.value["tags"]?.array?.compactMap(\.string) ?? []
            return !Self.tags.isDisjoint(with: tags) || Self.files.contains(operation.key)
        }
        #expect(Self.operations(try Self.part.get()) == expected)
        #expect(expected.count >= 18)
    }

    @Test func `each parameter and each component is that of the whole`() throws {
        let (whole, part) = (try OpenAPIFileTests.document.get().root, try Self.part.get().root)
        for path in try #require(part["paths"]?.object) {
            #expect(path.value["parameters"] == whole["paths"]?[path.name]?["parameters"], "\(path.name)")
        }
        for kind in try #require(part["components"]?.object) {
            for component in try #require(kind.value.object) {
                let original = try #require(whole["components"]?[kind.name]?[component.name], "\(component.name)")
                #expect(component.value == Self.withoutSent(original), "\(component.name)")
            }
        }
    }

    @Test func `the file has the components that it refers to, and no other`() throws {
        let root = try Self.part.get().root
        var references: Set<String> = []
        func walk(_ json: JSON) {
            if let reference = json["$ref"]?.string { references.insert(reference) }
            for member in json.object ?? [:] { walk(member.value) }
            for element in json.array ?? [] { walk(element) }
        }
        walk(root)
        var components: Set<String> = []
        // Operations name security schemes without a reference.
        for kind in try #require(root["components"]?.object) where kind.name != "securitySchemes" {
            for name in kind.value.object?.names ?? [] { components.insert("#/components/\(kind.name)/\(name)") }
        }
        #expect(components == references)
    }
}
