/// The files that a configuration names, read and understood: keys, certificates, the folder of the pages.
import JOSE

struct NamedFiles: Sendable {
    static let usualPublicFolders = ["./Public", "/usr/share/switchback/Public"]

    private(set) var serverKeys: [Secret] = []
    private(set) var signingKeys: [SigningKey] = []
    private(set) var publicFolder = ""

    /// Appends what is wrong with them.
    init(_ settings: EffectiveSettings, _ files: FileAccess, _ problems: inout [Configuration.Problem]) {
        self.readServerKeys(settings.top, files, &problems)
        for scope in settings.scopes("keys.signing") { self.readSigningKey(scope, files, &problems) }
        for scope in settings.scopes("brokers") { Self.checkCertificates(scope, files, &problems) }
        self.findPublicFolder(settings.top, files, &problems)
    }

    private mutating func readServerKeys(
        _ top: SettingScope, _ files: FileAccess, _ problems: inout [Configuration.Problem]
    ) {
        guard let paths = top.list("server_keys") else { return }
        if paths.isEmpty { problems.append(top.problem("server_keys", "must name at least one file")) }
        for path in paths {
            do throws(FileAccess.Failure) {
                let key = try ServerKeyFile.key(in: try files.read(path))
                if self.serverKeys.contains(key) { throw FileAccess.Failure("is the same key as one before it") }
                self.serverKeys.append(key)
            } catch {
                problems.append(top.problem("server_keys", "\(path): \(error.message)"))
            }
        }
    }

    private mutating func readSigningKey(
        _ scope: SettingScope, _ files: FileAccess, _ problems: inout [Configuration.Problem]
    ) {
        guard let path = scope.text("file") else { return }
        do throws(FileAccess.Failure) {
            let key = try SigningKeyFile.key(in: try files.read(path))
            let algorithm: SignatureAlgorithm? = scope.choice("algorithm")
            guard let signingKey = SigningKey(key, algorithm: algorithm) else {
                let fitting = SignatureAlgorithm.allCases.filter { key.publicKey.fits($0) }.map(\.rawValue)
                let message = "does not fit the key in \(path), which makes \(fitting.joined(separator: ", "))"
                return problems.append(scope.problem("algorithm", message))
            }
            if self.signingKeys.contains(where: { $0.keyID == signingKey.keyID }) {
                throw FileAccess.Failure("is the same key as one before it")
            }
            self.signingKeys.append(signingKey)
        } catch {
            problems.append(scope.problem("file", "\(path): \(error.message)"))
        }
    }

    private static func checkCertificates(
        _ scope: SettingScope, _ files: FileAccess, _ problems: inout [Configuration.Problem]
    ) {
        guard let path = scope.text("ca_file") else { return }
        do throws(FileAccess.Failure) {
            let text = String(decoding: try files.read(path), as: UTF8.self)
            guard text.contains("-----BEGIN CERTIFICATE-----") else {
                throw FileAccess.Failure("holds no certificate in PEM")
            }
        } catch {
            problems.append(scope.problem("ca_file", "\(path): \(error.message)"))
        }
    }

    private mutating func findPublicFolder(
        _ top: SettingScope, _ files: FileAccess, _ problems: inout [Configuration.Problem]
    ) {
        let folders = top.text("public_dir").map { [$0] } ?? Self.usualPublicFolders
        if let found = folders.first(where: files.isFolder) {
            self.publicFolder = found
        } else {
            let message = "there is no folder \(folders.joined(separator: " and no folder "))"
            problems.append(top.problem("public_dir", message))
        }
    }
}
