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
            let files = try PublicFiles(folder, assertionKeys: JWKSet([]), clientKeys: JWKSet([]))
            try files.checkLogos(of: configuration.providers, in: folder)
            _ = try Pages(folder, apps: [:], settings: PageSettings(configuration))
            return []
        } catch {
            return [Diagnostic(nil, "", error.description)]
        }
    }

    /// Returns a warning if users may get texts that no native speaker has read.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        let folder = try? PublicFolder(configuration.publicFolder)
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
