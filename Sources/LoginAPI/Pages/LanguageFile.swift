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

    /// `place` is where an operator finds the file.
    init(yaml: String, at place: String) throws(OperatorError) {
        try self.init(Reader(place: place), yaml)
    }

    /// Reads only the headings of one of our files. They are in front of the texts.
    init(headingsOf yaml: String, at place: String) throws(OperatorError) {
        let end = yaml.range(of: "\n\(Self.tableOfTexts):")?.lowerBound ?? yaml.endIndex
        try self.init(yaml: String(yaml[..<end]), at: place)
    }

    private init(_ reader: Reader, _ yaml: String) throws(OperatorError) {
        for (key, value) in try reader.members(of: try reader.root(of: yaml)) {
            if key.string == Self.tableOfTexts {
                for (key, text) in try reader.members(of: value) {
                    guard let text = text.scalar else { throw reader.failure(key.mark) }
                    guard let name = PageText(rawValue: key.string) else {
                        throw reader.unknown(key, of: PageText.allCases.map(\.rawValue))
                    }
                    self.texts[name] = try reader.sentence(text.string, key)
                }
            } else {
                guard let heading = Heading(rawValue: key.string) else {
                    throw reader.unknown(key, of: Heading.allCases.map(\.rawValue) + [Self.tableOfTexts])
                }
                guard let text = value.scalar else { throw reader.failure(key.mark) }
                self.headings[heading] = text.string
            }
        }
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

/// Reads the YAML of one file, and says what is wrong with it and on which line.
private struct Reader {
    let place: String

    func root(of yaml: String) throws(OperatorError) -> Node {
        do {
            return try Yams.compose(yaml: yaml) ?? Node([:])
        } catch {
            throw OperatorError(at: self.place, "is not a table of texts: \(error)")
        }
    }

    func members(of node: Node) throws(OperatorError) -> [(key: Node.Scalar, value: Node)] {
        guard let mapping = node.mapping else { throw self.failure(node.mark) }
        var members: [(key: Node.Scalar, value: Node)] = []
        for (key, value) in mapping {
            guard let name = key.scalar else { throw self.failure(key.mark) }
            members.append((name, value))
        }
        return members
    }

    func sentence(_ text: String, _ key: Node.Scalar) throws(OperatorError) -> PageSentence {
        guard !text.isEmpty else {
            throw OperatorError(at: self.place, line: key.mark?.line, "\(key.string) is empty")
        }
        do throws(OperatorError) {
            return try PageSentence(text)
        } catch {
            throw OperatorError(at: self.place, line: key.mark?.line, "\(key.string) \(error)")
        }
    }

    func failure(_ mark: Mark?) -> OperatorError {
        OperatorError(at: self.place, line: mark?.line, "is not a table of texts")
    }

    func unknown(_ key: Node.Scalar, of names: [String]) -> OperatorError {
        let nearest = SpellingSuggestion.suggestion(for: key.string, in: names)
        return OperatorError(
            at: self.place, line: key.mark?.line, "\(key.string) is not a key of any page\(nearest)")
    }
}
