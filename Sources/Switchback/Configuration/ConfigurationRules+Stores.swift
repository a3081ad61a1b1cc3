/// What must be true of a store's settings together.
import Base
import Stores

extension ConfigurationRules {
    /// A connection string is never quoted: it may hold a password.
    mutating func checkStore() {
        let top = self.settings.top
        for name in ["postgresql.url", "postgresql.listen_url"] {
            guard let text = top.text(name) else { continue }
            do throws(PostgresAddress.Failure) {
                _ = try PostgresAddress(Secret(text))
            } catch {
                self.report(top, name, "\(error)")
            }
        }
        if top.text("store") == "postgresql", !self.settings.isGiven(SettingPath("postgresql.url")) {
            self.report(top, "postgresql.url", "is required by store postgresql")
        }
        if top.boolean("reuse_port") == true, let store = top.text("store"), store != "postgresql" {
            self.report(
                top, "reuse_port", "needs store postgresql: with \(store) no process knows of another's logins")
        }
        if top.boolean("reuse_port") == true, top.listen("listen")?.path != nil {
            self.report(top, "reuse_port", "needs a port in listen: a Unix socket belongs to one process")
        }
        if top.text("postgresql.wake") == "poll", top.text("postgresql.listen_url") != nil {
            self.report(top, "postgresql.listen_url", "means nothing while postgresql.wake is poll")
        }
    }
}
