import Base
import BuiltInFiles

/// The texts of the pages in every language that the server offers: one file in `strings` for each. An operator's file
/// of the same name replaces some of its texts.
struct PageStrings: Sendable {
    private static let folder = "strings"
    private static let ending = ".yaml"

    /// By tag.
    let languages: [String: PageLanguage]
    private let lookup: LanguageLookup
    private let usual: PageLanguage

    init(_ folder: PublicFolder, _ settings: PageSettings = PageSettings()) throws(OperatorError) {
        var files: [String: Source] = [:]
        for name in folder.names(in: Self.folder) {
            let path = "\(Self.folder)/\(name)"
            guard name.hasSuffix(Self.ending) else { throw folder.failure(path, "is no file of texts: use .yaml") }
            files[String(name.dropLast(Self.ending.count))] = try Self.source(path, in: folder)
        }
        var languages: [String: PageLanguage] = [:]
        for (tag, source) in files.sorted(by: { $0.key < $1.key }) {
            let base = tag.contains("-") ? files[String(tag.prefix { $0 != "-" })] : nil
            let place = folder.place(of: "\(Self.folder)/\(tag)\(Self.ending)")
            let language = try source.language(tag, over: base, at: place)
            if settings.allowsDraftLanguages || !language.isOptIn { languages[tag] = language }
        }
        guard let usual = languages[settings.defaultLanguage] else {
            let message =
                files[settings.defaultLanguage] == nil
                ? "is missing, but is the default_language"
                : "is the default_language, but needs allow_draft_languages"
            throw folder.failure("\(Self.folder)/\(settings.defaultLanguage)\(Self.ending)", message)
        }
        self.languages = languages
        self.lookup = LanguageLookup(languages.keys.sorted())
        self.usual = usual
    }

    /// The file of one language: an operator's, over ours if we have one, or ours alone.
    private enum Source {
        case operators(LanguageFile)
        /// Its texts are read when a page in this language is wanted: reading all of them would be a fifth of the start.
        case ours(headings: LanguageFile, whole: Lazy<LanguageFile>)

        var headings: LanguageFile {
            switch self {
            case .operators(let file): file
            case .ours(let headings, _): headings
            }
        }

        var whole: LanguageFile {
            switch self {
            case .operators(let file): file
            case .ours(_, let whole): whole.value
            }
        }

        /// Returns the language. `base` is the one of which this is a region.
        func language(_ tag: String, over base: Source?, at place: String) throws(OperatorError) -> PageLanguage {
            let readWhole = { @Sendable in base.map { self.whole.over($0.whole) } ?? self.whole }
            guard self.isOurs, base?.isOurs ?? true else { return try PageLanguage(tag, readWhole(), at: place) }
            let headings = base.map { self.headings.over($0.headings) } ?? self.headings
            return try PageLanguage(tag, headings: headings, at: place) { readWhole().texts }
        }

        private var isOurs: Bool {
            if case .ours = self { true } else { false }
        }
    }

    /// Our files. The texts of each are read once in a process, if at all. Tests read all of them, so nothing is wrong
    /// with them.
    private static let ours = Dictionary(
        uniqueKeysWithValues: BuiltInFiles.all.filter { $0.key.hasPrefix("\(Self.folder)/") }.map { path, text in
            (path, Lazy { (try? LanguageFile(yaml: text, at: path)) ?? LanguageFile() })
        })

    /// Returns the operator's file over ours. It says only what differs.
    private static func source(_ path: String, in folder: PublicFolder) throws(OperatorError) -> Source {
        let ours = Self.ours[path]
        if let overlaid = try folder.overlaidText(of: path) {
            let file = try LanguageFile(yaml: overlaid, at: folder.place(of: path))
            return .operators(ours.map { file.replacing($0.value) } ?? file)
        }
        guard let ours, let text = BuiltInFiles.all[path] else { throw folder.failure(path, "is missing") }
        return .ours(headings: try LanguageFile(headingsOf: text, at: path), whole: ours)
    }

    /// Returns the first wanted language that we have; otherwise the default one.
    func language(for languages: [String]) -> PageLanguage {
        self.lookup.first(of: languages).flatMap { self.languages[$0] } ?? self.usual
    }
}

/// What the configuration says about the languages of the pages.
package struct PageSettings: Sendable {
    /// For users none of whose languages we have.
    package var defaultLanguage = "en"
    /// Whether languages are offered whose files say `opt_in`.
    package var allowsDraftLanguages = false

    package init() {}
}
