import Base
import Yams

/// What one file of `strings` says. The file of a region, such as `sv-FI`, says only what differs from that of the
/// language, and an operator's file only what differs from ours.
struct LanguageFile: Sendable {
    enum Heading: String, CaseIterable, Sendable {
        case review
        case optIn = "opt_in"
        case direction
        case theApp = "the_app"
        case theProvider = "the_provider"

        /// What is said of one language says nothing about a region that adds to it.
        fileprivate var isInherited: Bool { self != .review && self != .optIn }
    }

    private static let tableOfTexts = "texts"

    private(set) var headings: [Heading: String] = [:]
    private(set) var texts: [PageText: PageSentence] = [:]

    init() {}

    init(yaml: String) throws(PageLanguage.TextsError) {
        for (key, value) in try Self.members(of: Self.root(of: yaml)) {
            if key.string == Self.tableOfTexts {
                for (key, text) in try Self.members(of: value) {
                    guard let text = text.scalar else { throw Self.failure(key.mark) }
                    guard let name = PageText(rawValue: key.string) else {
                        throw Self.unknown(key, of: PageText.allCases.map(\.rawValue))
                    }
                    self.texts[name] = try Self.sentence(text.string, key)
                }
            } else {
                guard let heading = Heading(rawValue: key.string) else {
                    throw Self.unknown(key, of: Heading.allCases.map(\.rawValue) + [Self.tableOfTexts])
                }
                guard let text = value.scalar else { throw Self.failure(key.mark) }
                self.headings[heading] = text.string
            }
        }
    }

    private static func root(of yaml: String) throws(PageLanguage.TextsError) -> Node {
        do {
            return try Yams.compose(yaml: yaml) ?? Node([:])
        } catch {
            throw PageLanguage.TextsError(message: "is not a table of texts: \(error)")
        }
    }

    private static func members(
        of node: Node
    ) throws(PageLanguage.TextsError) -> [(key: Node.Scalar, value: Node)] {
        guard let mapping = node.mapping else { throw Self.failure(node.mark) }
        var members: [(key: Node.Scalar, value: Node)] = []
        for (key, value) in mapping {
            guard let name = key.scalar else { throw Self.failure(key.mark) }
            members.append((name, value))
        }
        return members
    }

    private static func sentence(
        _ text: String, _ key: Node.Scalar
    ) throws(PageLanguage.TextsError) -> PageSentence {
        guard !text.isEmpty else {
            throw PageLanguage.TextsError(line: key.mark?.line, message: "\(key.string) is empty")
        }
        do throws(PageSentence.SyntaxError) {
            return try PageSentence(text)
        } catch {
            throw PageLanguage.TextsError(line: key.mark?.line, message: "\(key.string) \(error.message)")
        }
    }

    private static func failure(_ mark: Mark?) -> PageLanguage.TextsError {
        PageLanguage.TextsError(line: mark?.line, message: "is not a table of texts")
    }

    private static func unknown(_ key: Node.Scalar, of names: [String]) -> PageLanguage.TextsError {
        let nearest = SpellingSuggestion.suggestion(for: key.string, in: names)
        return PageLanguage.TextsError(
            line: key.mark?.line, message: "\(key.string) is not a key of any page\(nearest)")
    }

    /// Returns this file of a region, with everything that only the file of the language says.
    func over(_ language: LanguageFile) -> LanguageFile {
        var language = language
        language.headings = language.headings.filter(\.key.isInherited)
        return self.replacing(language)
    }

    /// Returns this file, with everything that only the other one says.
    func replacing(_ other: LanguageFile) -> LanguageFile {
        var file = self
        file.headings.merge(other.headings) { own, _ in own }
        file.texts.merge(other.texts) { own, _ in own }
        return file
    }
}
