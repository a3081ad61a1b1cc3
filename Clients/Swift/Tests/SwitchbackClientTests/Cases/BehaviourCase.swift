import Foundation
import Testing

@testable import SwitchbackClient

/// A case of `Clients/cases`: what a client does after some events. The page beside the files explains the format.
struct BehaviourCase: Sendable, CustomTestStringConvertible {
    /// Why a case cannot be played. That is a mistake in the case, or in this reader.
    struct FormatError: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    let file: String
    let name: String
    /// The reducer that it is for: `login` or `session`.
    let reducer: String
    /// What a library must have for this case; nil when every library plays it.
    var needs: String?
    /// What the store has; nil for nothing.
    let saved: JSONValue?
    let steps: [JSONValue]
    let context: CaseContext

    var testDescription: String { "\(self.file): \(self.name)" }

    /// The cases for a reducer. A file that cannot be read is one case that fails.
    static func all(for reducer: String) -> [BehaviourCase] {
        self.everything.filter { $0.reducer == reducer && $0.needs == nil }
    }

    /// The cases that this library does not play, by what they need. App Attest says something about any key, so no
    /// login needs a key of its own.
    static var leftOut: [String: [BehaviourCase]] {
        Dictionary(grouping: self.everything.filter { $0.needs != nil }) { $0.needs ?? "" }
    }

    /// The names of the files that hold no case.
    static var emptyFiles: [String] {
        self.files.map(\.lastPathComponent).filter { name in !self.everything.contains { $0.file == name } }
    }

    /// The package has the cases beside it in the server's repository, and inside when it is alone.
    private static let folder: URL = {
        let package = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let own = package.appendingPathComponent("Cases")
        let hasOwn = FileManager.default.fileExists(atPath: own.path)
        return hasOwn ? own : package.deletingLastPathComponent().appendingPathComponent("cases")
    }()

    private static let files: [URL] = {
        let urls = try? FileManager.default.contentsOfDirectory(at: Self.folder, includingPropertiesForKeys: nil)
        return (urls ?? []).filter { $0.pathExtension == "json" && $0.lastPathComponent != "given.json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()

    private static let context = Result {
        try CaseContext(Self.json(Self.folder.appendingPathComponent("given.json")))
    }

    private static let everything: [BehaviourCase] = Self.files.flatMap { url in
        do {
            let context = try Self.context.get()
            return try Self.read(Self.json(url), url.lastPathComponent, context)
        } catch {
            let context = CaseContext()
            return ["login", "session"].map { reducer in
                BehaviourCase(
                    file: url.lastPathComponent, name: "unreadable: \(error)", reducer: reducer, saved: nil,
                    steps: [.null], context: context)
            }
        }
    }

    /// Reads the text of a file.
    static func read(_ text: String) throws -> [BehaviourCase] {
        let json = try JSONDecoder().decode(CaseJSON.self, from: Data(text.utf8)).value
        return try self.read(json, "text", self.context.get())
    }

    private static func json(_ url: URL) throws -> JSONValue {
        try JSONDecoder().decode(CaseJSON.self, from: Data(contentsOf: url)).value
    }

    private static func read(_ json: JSONValue, _ file: String, _ context: CaseContext) throws -> [BehaviourCase] {
        try json.check(["reducer", "needs", "cases"])
        guard let reducer = json["reducer"]?.string, ["login", "session"].contains(reducer),
            let cases = json["cases"]?.array
        else { throw FormatError("\(file) has no reducer or no cases") }
        let needs = json["needs"].map { $0.string ?? "" }
        guard [nil, "maker_keys"].contains(needs) else { throw FormatError("\(file) needs what nobody knows") }
        return try cases.map { json in
            try json.check(["name", "rule", "request", "saved", "steps"])
            guard let name = json["name"]?.string, json["rule"]?.string?.isEmpty == false,
                let steps = json["steps"]?.array, !steps.isEmpty
            else { throw FormatError("a case has no name, rule or steps") }
            // The name of several steps stands for all of them.
            return BehaviourCase(
                file: file, name: name, reducer: reducer, needs: needs, saved: try json["saved"].map(context.fill),
                steps: try steps.map(context.fill).flatMap { $0.array ?? [$0] }, context: context.with(json["request"]))
        }
    }
}

/// Any JSON. It is read four times as fast as `JSONValue` reads it, because most of a case is texts and objects.
private struct CaseJSON: Decodable {
    let value: JSONValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self.value = .string(text)
        } else if let members = try? container.decode([String: CaseJSON].self) {
            self.value = .object(members.mapValues(\.value))
        } else if let elements = try? container.decode([CaseJSON].self) {
            self.value = .array(elements.map(\.value))
        } else {
            self.value = try container.decode(JSONValue.self)
        }
    }
}

extension JSONValue {
    var members: [String: JSONValue] { self.object ?? [:] }

    /// Throws when this has a member that nobody reads, or is no object.
    func check(_ known: Set<String>) throws {
        guard case .object(let members) = self else { throw BehaviourCase.FormatError("\(self.text) is no object") }
        let unknown = Set(members.keys).subtracting(known).sorted()
        guard unknown.isEmpty else { throw BehaviourCase.FormatError("unknown member \(unknown) of \(self.text)") }
    }

    /// A whole number or a fraction.
    var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }

    /// The same for the same value.
    var data: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(self)) ?? Data()
    }

    var text: String { String(decoding: self.data, as: UTF8.self) }

    /// An object without the members that are nil.
    static func object(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }

    /// Whole milliseconds.
    static func milliseconds(_ seconds: Double) -> JSONValue { .integer(Int((seconds * 1000).rounded())) }
}

extension [String] {
    var json: JSONValue { .array(self.map(JSONValue.string)) }
}
