// Makes the settings of the store `postgresql`.

import Base
import Stores

extension PostgresSettings {
    /// Nil if there is no URL; a checked configuration has one if it needs it.
    init?(_ top: SettingScope, _ files: FileAccess) throws(SettingScope.AbsentError) {
        guard let url = top.text("postgresql.url") else { return nil }
        self.init(url: Secret(url))
        self.listenURL = top.text("postgresql.listen_url").map { Secret($0) }
        if let password = top.text("postgresql.password") {
            self.password = Self.password("postgresql.password", password, top, files) { Secret($0) }
        } else {
            self.password = Self.password("postgresql.url", url, top, files, Self.password(inURL:))
            self.listenPassword = top.text("postgresql.listen_url").map {
                Self.password("postgresql.listen_url", $0, top, files, Self.password(inURL:))
            }
        }
        self.connections = try top.need("postgresql.connections", SettingScope.integer)
        self.statementTimeout = try top.need("postgresql.statement_timeout", SettingScope.seconds)
        self.wake = try top.need("postgresql.wake", SettingScope.choice)
        self.migrate = try top.need("postgresql.migrate", SettingScope.choice)
    }

    /// Returns a password that is read from its file each time; `present` is the setting's present value.
    private static func password(
        _ name: String, _ present: String, _ top: SettingScope, _ files: FileAccess,
        _ secret: @escaping @Sendable (String) -> Secret?
    ) -> PostgresPassword {
        guard case .variableFile(let variable, let file) = top.origin(name) else {
            return PostgresPassword(secret(present))
        }
        return PostgresPassword { () throws(OperatorError) in
            do throws(FileError) {
                let text = try files.text(file)
                // A file may be empty for a short time while it is written.
                guard !text.isEmpty else { throw FileError("is empty") }
                return secret(text)
            } catch {
                throw OperatorError("\(variable) (\(file)): \(error.message)")
            }
        }
    }

    /// Takes only the password of a URL that has changed: a server cannot move to another database.
    @Sendable private static func password(inURL url: String) -> Secret? {
        (try? PostgresAddress(Secret(url)))?.password
    }
}
