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
        var files: [String: LanguageFile] = [:]
        for name in folder.names(in: Self.folder) {
            let path = "\(Self.folder)/\(name)"
            guard name.hasSuffix(Self.ending) else { throw folder.failure(path, "is no file of texts: use .yaml") }
            files[String(name.dropLast(Self.ending.count))] = try Self.file(path, in: folder)
        }
        var languages: [String: PageLanguage] = [:]
        for (tag, file) in files.sorted(by: { $0.key < $1.key }) {
            let base = tag.contains("-") ? files[String(tag.prefix { $0 != "-" })] : nil
            let place = folder.place(of: "\(Self.folder)/\(tag)\(Self.ending)")
            let language = try PageLanguage(tag, base.map(file.over) ?? file, at: place)
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

    /// Our files, which are read once: a reload, and a second server of the process, read only the operator's.
    private static let ours = Dictionary(
        uniqueKeysWithValues: BuiltInFiles.all.filter { $0.key.hasPrefix("\(Self.folder)/") }.map { path, text in
            (path, Result { () throws(OperatorError) in try LanguageFile(yaml: text, at: path) })
        })

    /// Returns the operator's file over ours. It says only what differs.
    private static func file(_ path: String, in folder: PublicFolder) throws(OperatorError) -> LanguageFile {
        let overlaid = try folder.overlaidText(of: path)
        let ours = try Self.ours[path]?.get() ?? LanguageFile()
        guard let overlaid else { return ours }
        return try LanguageFile(yaml: overlaid, at: folder.place(of: path)).replacing(ours)
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
