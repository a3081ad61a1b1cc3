import Glibc

/// Two PostgreSQL servers, a primary and its streaming standby, with synchronous replication: what the primary has
/// acknowledged is on the standby's disk.
package final class PostgresPair: Sendable {
    private static let name = "standby"

    package let primary: PostgresNode
    package let standby: PostgresNode

    /// Starts both; the primary waits for the standby at each commit.
    package init() throws {
        let primary = try PostgresNode.fresh()
        do {
            let standby = try PostgresNode.standby(of: primary, name: Self.name)
            self.primary = primary
            self.standby = standby
        } catch {
            primary.remove()
            throw error
        }
        // This follows the copy, because the standby must not wait for another server when it is promoted.
        try primary.query("ALTER SYSTEM SET synchronous_standby_names = '\(Self.name)'")
        try primary.query("SELECT pg_reload_conf()")
        try self.waitUntilSynchronous()
    }

    /// The URL finds the server that accepts writes (libpq's `target_session_attrs`).
    package var url: String {
        let hosts = [self.primary, self.standby].map(\.address).joined(separator: ",")
        return "postgresql://\(PostgresTools.user)@\(hosts)/\(PostgresTools.user)?target_session_attrs=read-write"
            + "&connect_timeout=2"
    }

    /// Kills the primary with SIGKILL and restarts it. Returns when it commits with its standby.
    package func killAndRestartPrimary() throws {
        self.primary.kill()
        try self.primary.start()
        try self.waitUntilSynchronous()
    }

    /// Kills the primary with SIGKILL for good. Returns when the standby accepts writes.
    package func failOver() throws {
        self.primary.kill()
        try self.standby.promote()
    }

    package func remove() {
        self.standby.remove()
        self.primary.remove()
    }

    private func waitUntilSynchronous() throws {
        for _ in 0..<500 {
            if try self.primary.query("SELECT sync_state FROM pg_stat_replication") == "sync" { return }
            usleep(50_000)
        }
        throw PostgresNode.Trouble(description: "the standby does not follow")
    }
}
