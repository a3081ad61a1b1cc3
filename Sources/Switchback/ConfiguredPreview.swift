import Base
import LoginAPI
import Preflight
import ServerConfiguration

/// The contact sheet of the pages that a configuration makes, or of the built-in ones.
package enum ConfiguredPreview {
    /// How each preview begins.
    package static let mark = PagePreview.mark

    /// Shows the named app, otherwise the default one, with its first provider.
    package static func html(_ configuration: Configuration, app name: String?) throws -> String {
        let settings = PublicSettings(configuration)
        let names = configuration.apps.map(\.id).joined(separator: ", ")
        guard let id = name ?? settings.defaultApp else {
            throw OperatorError("choose an app with --app: \(names)")
        }
        guard let app = settings.apps[id] else { throw OperatorError("there is no app \(id), but \(names)") }
        let provider = configuration.providers.first { app.providers?.contains($0.id) ?? true }
        return try PagePreview(
            PublicFolder(configuration.publicFolder), app: app, provider: provider?.names ?? [:],
            settings: PageSettings(configuration)
        ).html
    }

    /// Shows an app without a look.
    package static func html(publicFolder: String?) throws -> String {
        try PagePreview(
            PublicFolder(publicFolder), app: AppProfile(names: ["en": "Example app"], returnPrefixes: []),
            provider: ["en": "Example e‑ID"], settings: PageSettings()
        ).html
    }
}
