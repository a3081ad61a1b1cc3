// Makes the settings of the store `postgresql`.

import Base
import Stores

extension PostgresSettings {
    /// Nil if there is no URL; a checked configuration has one if it needs it.
    init?(_ settings: EffectiveSettings, _ files: FileAccess) {
        let own = SettingReader<PostgreSQLSettings>(settings)
        guard let url = own.url else { return nil }
        self.init(url: Secret(url))
        self.listenURL = own.listenURL.map { Secret($0) }
        if let password = own.password {
            self.password = Self.password(own.origin(\.password), password, files) { Secret($0) }
        } else {
            self.password = Self.password(own.origin(\.url), url, files, Self.password(inURL:))
            self.listenPassword = own.listenURL.map {
                Self.password(own.origin(\.listenURL), $0, files, Self.password(inURL:))
            }
        }
        self.connections = own.connections ?? self.connections
        self.statementTimeout = own.statementTimeout ?? self.statementTimeout
        self.wake = own.wake ?? self.wake
        self.migrate = own.migrate ?? self.migrate
    }

    /// Returns a password that is read from its file each time; `present` is the setting's present value.
    private static func password(
        _ origin: SettingOrigin?, _ present: String, _ files: FileAccess,
        _ secret: @escaping @Sendable (String) -> Secret?
    ) -> PostgresPassword {
        let file: String
        switch origin {
        case .variableFile(_, let path), .secretFile(_, _, let path): file = path
        case .flag, .variable, .file, .standard, nil: return PostgresPassword(secret(present))
        }
        let name = origin.map(\.description) ?? file
        return PostgresPassword { () throws(OperatorError) in
            do throws(FileError) {
                let text = try files.text(file)
                // A file may be empty for a short time while it is written.
                guard !text.isEmpty else { throw FileError("is empty") }
                return secret(text)
            } catch {
                throw OperatorError("\(name): \(error.message)")
            }
        }
    }

    /// Takes only the password of a URL that has changed: a server cannot move to another database.
    @Sendable private static func password(inURL url: String) -> Secret? {
        (try? PostgresAddress(Secret(url)))?.password
    }
}
