/// Whether the folder of the pages has all that a server needs of it at its start.
import JOSE
import LoginAPI
import ServerConfiguration

package enum PublicFolderCheck {
    /// In the words with which the server would not start.
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
