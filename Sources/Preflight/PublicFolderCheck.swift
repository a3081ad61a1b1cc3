/// Checks whether the folder of the pages has everything that a server needs at its start.
import JOSE
import LoginAPI
import ServerConfiguration

package enum PublicFolderCheck {
    /// Returns the errors with which the server would not start.
    package static func errors(_ configuration: Configuration) -> [Diagnostic] {
        let folder = PublicFolder(configuration.publicFolder)
        do throws(PublicFolderError) {
            let files = try PublicFiles(folder, assertionKeys: JWKSet([]), clientKeys: JWKSet([]))
            try files.checkLogos(of: configuration.providers, in: folder)
            _ = try Pages(folder, apps: [:])
            return []
        } catch {
            return [Diagnostic(nil, "", error.description)]
        }
    }
}
