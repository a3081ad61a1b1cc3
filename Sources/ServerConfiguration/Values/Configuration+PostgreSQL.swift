/// The settings of the store `postgresql`, as the store takes them.
import Base
import Stores

extension PostgresSettings {
    /// Nil where no URL is given; a checked configuration has one if it needs it.
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

    /// From a file it is read each time that it is asked for; `present` is what the setting is now.
    private static func password(
        _ name: String, _ present: String, _ top: SettingScope, _ files: FileAccess,
        _ secret: @escaping @Sendable (String) -> Secret?
    ) -> PostgresPassword {
        guard case .variableFile(let variable, let file) = top.origin(name) else {
            return PostgresPassword(secret(present))
        }
        return PostgresPassword { () throws(PostgresPasswordError) in
            do throws(FileError) {
                let text = try files.text(file)
                // A file is empty for a moment while somebody writes it.
                guard !text.isEmpty else { throw FileError("is empty") }
                return secret(text)
            } catch {
                throw PostgresPasswordError("\(variable) (\(file)): \(error.message)")
            }
        }
    }

    /// Nothing else is taken of a URL that has changed: a server cannot move to another database.
    @Sendable private static func password(inURL url: String) -> Secret? {
        (try? PostgresAddress(Secret(url)))?.password
    }
}
