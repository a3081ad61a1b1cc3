import Base
import JOSE
import LoginAPI
import ServerConfiguration

/// Checks whether the pages have everything that a server needs at its start.
package enum PublicFolderCheck {
    /// Returns the errors with which the server would not start.
    package static func errors(_ configuration: Configuration) -> [Diagnostic] {
        do throws(OperatorError) {
            let folder = try PublicFolder(configuration.publicFolder)
            if let mistake = Self.mistake(inDefaultLanguageOf: configuration, folder) { return [mistake] }
            let files = try PublicFiles(folder, assertionKeys: JWKSet([]), clientKeys: JWKSet([]))
            try files.checkLogos(of: configuration.providers, in: folder)
            _ = try Pages(folder, apps: [:], settings: PageSettings(configuration))
            return []
        } catch {
            // What is wrong with the whole file of this language, and not with one of its lines.
            let file = "strings/\(configuration.defaultLanguage).yaml: "
            guard let end = error.description.firstRange(of: file)?.upperBound else {
                return [Diagnostic(nil, "", error.description)]
            }
            let message = "\(configuration.defaultLanguage) \(error.description[end...])"
            return [Diagnostic(nil, "default_language", message)]
        }
    }

    private static func mistake(
        inDefaultLanguageOf configuration: Configuration, _ folder: PublicFolder
    ) -> Diagnostic? {
        let (tag, languages) = (configuration.defaultLanguage, folder.languages)
        guard !languages.contains(tag) else { return nil }
        return Diagnostic(
            nil, "default_language",
            "the pages have no language \(tag). They have \(languages.joined(separator: ", "))\(Self.advice(on: tag, among: languages))"
        )
    }

    /// People write the country, or Norwegian as a whole.
    private static func advice(on tag: String, among languages: [String]) -> String {
        let primaryTag = String(tag.prefix { $0 != "-" })
        let meant: String? =
            ["no": "nb or nn", "dk": "da", "se": "sv", "no-NO": "nb", "nb-NO": "nb", "gl": "kl"][tag]
            ?? (primaryTag != tag && languages.contains(primaryTag) ? primaryTag : nil)
        return meant.map { "; write \($0)" } ?? ""
    }

    /// Returns a warning for each name in a language that the pages do not have.
    private static func warnings(
        aboutNamesOf configuration: Configuration, _ languages: [String]
    ) -> [Diagnostic] {
        let primaryTags = Set(languages.map { $0.prefix { $0 != "-" } })
        let names =
            configuration.apps.map { ("apps.\($0.id).name", $0.names) }
            + configuration.providers.map { ("providers.\($0.id).names", $0.names) }
        return names.flatMap { setting, names in
            names.keys.sorted().filter { !primaryTags.contains($0.prefix { $0 != "-" }) }.map { tag in
                Diagnostic(
                    nil, setting,
                    "has a text for \(tag), and the pages have no such language, so no page shows it\(Self.advice(on: tag, among: languages))",
                    .warning)
            }
        }
    }

    /// Returns a warning if users may get texts that no native speaker has read, and for each name that no page shows.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        let folder = try? PublicFolder(configuration.publicFolder)
        return self.warnings(aboutNamesOf: configuration, folder?.languages ?? [])
            + self.warnings(aboutDraftsOf: configuration, folder)
    }

    private static func warnings(
        aboutDraftsOf configuration: Configuration, _ folder: PublicFolder?
    ) -> [Diagnostic] {
        let pages = try? folder.map { try Pages($0, apps: [:], settings: PageSettings(configuration)) }
        guard let drafts = pages?.permittedDrafts, !drafts.isEmpty else { return [] }
        let message =
            "the pages are offered in \(drafts.joined(separator: ", ")): "
            + "drafts that no native speaker has read; ask one, then change review in strings of public_dir"
        return [Diagnostic(nil, "allow_draft_languages", message, .warning)]
    }
}

extension PageSettings {
    package init(_ configuration: Configuration) {
        self.init()
        self.defaultLanguage = configuration.defaultLanguage
        self.allowsDraftLanguages = configuration.allowsDraftLanguages
    }
}
