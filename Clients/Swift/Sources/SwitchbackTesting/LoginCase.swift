import Foundation
import SwitchbackClient

/// A case of `Clients/cases`: what a login does after some events. The page beside the files explains the format.
public struct LoginCase: Sendable, CustomStringConvertible {
    /// Why a file cannot be read, or a case cannot be played.
    public struct FormatError: Error, CustomStringConvertible {
        /// What is wrong.
        public let description: String

        init(_ description: String) { self.description = description }
    }

    /// The name of its file.
    public let file: String
    /// A sentence that says what holds.
    public let name: String
    /// The rule or the section of an RFC that says so.
    public let rule: String
    let book: CaseBook
    let request: JSONValue
    /// What the store has; nil for nothing.
    let saved: JSONValue?
    let steps: [JSONValue]

    /// The file and the name.
    public var description: String { "\(self.file): \(self.name)" }

    /// Reads the cases of a folder, which also has `given.json`.
    public static func all(in folder: URL = LoginCase.folder) throws -> [LoginCase] {
        func json(_ url: URL) throws -> JSONValue {
            try JSONDecoder().decode(JSONValue.self, from: Data(contentsOf: url))
        }
        let book = try CaseBook(json(folder.appendingPathComponent("given.json")))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        return try names.filter { $0.hasSuffix(".json") && $0 != "given.json" }.flatMap { name in
            let file = try json(folder.appendingPathComponent(name))
            return file["reducer"]?.string == "login" ? try Self.read(file, name, book) : []
        }
    }

    /// Where this package has its cases: inside when it is alone, and beside it in the server's repository. A device has
    /// neither; a simulator reads them.
    public static let folder: URL = {
        let package = (1...3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let own = package.appendingPathComponent("Cases")
        let hasOwn = FileManager.default.fileExists(atPath: own.path)
        return hasOwn ? own : package.deletingLastPathComponent().appendingPathComponent("cases")
    }()

    private static func read(_ json: JSONValue, _ file: String, _ book: CaseBook) throws -> [LoginCase] {
        try (json["cases"]?.array ?? []).map { row in
            guard let name = row["name"]?.string, let rule = row["rule"]?.string, let steps = row["steps"]?.array else {
                throw FormatError("\(file) has a case without a name, a rule or steps")
            }
            // The name of several steps stands for all of them.
            return LoginCase(
                file: file, name: name, rule: rule, book: book,
                request: book.request.merging(row["request"]), saved: try row["saved"].map(book.fill),
                steps: try steps.map(book.fill).flatMap { $0.array ?? [$0] })
        }
    }
}

extension JSONValue {
    var members: [String: JSONValue] { self.object ?? [:] }

    /// The texts of a list.
    var texts: [String] { (self.array ?? []).compactMap(\.string) }

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

    /// An object with the members of another one in place of its own.
    func merging(_ other: JSONValue?) -> JSONValue { .object(self.members.merging(other?.members ?? [:]) { $1 }) }
}
