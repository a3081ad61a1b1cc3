/// The texts of the pages, by language and key. Every language is complete.
import Yams

struct PageStrings: Sendable {
    private static let file = "strings.yaml"
    /// For users whose languages we do not have.
    private static let lastResort = "en"

    private let texts: [String: [PageText: String]]

    init(_ folder: PublicFolder) throws(PublicFolderError) {
        let text = try folder.text(of: Self.file)
        let table: [String: [String: String]]
        do {
            table = try YAMLDecoder().decode([String: [String: String]].self, from: text)
        } catch {
            throw folder.failure(Self.file, "is not a table of languages, keys and texts: \(error)")
        }
        do throws(IncompleteError) {
            try self.init(table)
        } catch {
            throw folder.failure(Self.file, error.message)
        }
    }

    /// What is wrong with a table of texts.
    struct IncompleteError: Error {
        let message: String
    }

    init(_ table: [String: [String: String]]) throws(IncompleteError) {
        guard table[Self.lastResort] != nil else {
            throw IncompleteError(message: "has no language \(Self.lastResort)")
        }
        var texts: [String: [PageText: String]] = [:]
        for (language, entries) in table.sorted(by: { $0.key < $1.key }) {
            if let unknown = entries.keys.sorted().first(where: { PageText(rawValue: $0) == nil }) {
                throw IncompleteError(message: "\(language).\(unknown) is not a key of any page")
            }
            for key in PageText.allCases {
                guard let text = entries[key.rawValue], !text.isEmpty else {
                    throw IncompleteError(message: "\(language).\(key.rawValue) is missing")
                }
                texts[language.lowercased(), default: [:]][key] = text
            }
        }
        self.texts = texts
    }

    var languages: [String] { self.texts.keys.sorted() }

    func text(_ key: PageText, in language: String) -> String { self.texts[language]?[key] ?? "" }

    /// Returns the first wanted language that we have, without its region if necessary (RFC 4647 §3.4).
    func language(for wanted: [String]) -> String {
        for tag in wanted {
            var subtags = tag.lowercased().split(separator: "-")
            while !subtags.isEmpty {
                let range = subtags.joined(separator: "-")
                if self.texts[range] != nil { return range }
                subtags.removeLast()
            }
        }
        return Self.lastResort
    }
}
