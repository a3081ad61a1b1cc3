/// The settings of the store `postgresql`, as the store takes them.
import JOSE
import Stores

extension PostgresSettings {
    /// Nil where no URL is given; a checked configuration has one if it needs it.
    init?(_ top: SettingScope) throws(SettingScope.Absent) {
        guard let url = top.text("postgresql.url") else { return nil }
        self.init(url: Secret(url))
        self.password = top.text("postgresql.password").map { Secret($0) }
        self.connections = try top.need("postgresql.connections", SettingScope.integer)
        self.statementTimeout = try top.need("postgresql.statement_timeout", SettingScope.seconds)
        self.wake = try top.need("postgresql.wake", SettingScope.choice)
        self.listenURL = top.text("postgresql.listen_url").map { Secret($0) }
        self.migrate = try top.need("postgresql.migrate", SettingScope.choice)
    }
}
