import Base
import ServerConfiguration
import Stores

/// Where logins are stored, as `switchback check` prints it.
package enum StoreReport {
    package static func text(_ configuration: Configuration) -> String {
        switch configuration.store {
        case .memory: return "Store memory:\n  logins end with the process\n"
        case .sqlite:
            let path = configuration.sqlitePath
            return "Store sqlite:\n  file: \(path)\n"
        case .postgresql:
            guard let settings = configuration.postgresql else { return "" }
            return (["Store postgresql:"] + self.lines(settings)).joined(separator: "\n") + "\n"
        }
    }

    /// What no server can store logins in.
    package static func errors(_ configuration: Configuration) -> [Diagnostic] {
        guard configuration.store == .sqlite else { return [] }
        let path = configuration.sqlitePath
        return self.mistake(path).map { [Diagnostic(nil, "sqlite.path", "\(path) \($0)")] } ?? []
    }

    private static func mistake(_ path: String) -> String? {
        if SystemFile.isFolder(path) { return "is a folder. Name a file in it, as in \(path)/switchback.db" }
        if let type = StoreLocation.kernelType(ofFile: path) {
            return "is in a folder of the kernel (\(type)), which keeps no files. Name a file on a disk"
        }
        guard let start = try? SystemFile.beginning(of: path, count: self.sqliteMark.count), !start.isEmpty else {
            return nil
        }
        return start == self.sqliteMark ? nil : "is a file, but no SQLite database. Name another one"
    }

    /// The first bytes of each database (SQLite's file format, 1.3.1).
    private static let sqliteMark = Array("SQLite format 3\0".utf8)

    /// What prevents logins from being stored, or from staying secret.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        switch configuration.store {
        case .memory: return []
        case .sqlite:
            return SQLiteFiles.obstacle(configuration.sqlitePath).map {
                [Diagnostic(nil, "sqlite.path", "as this user \($0)", .warning)]
            } ?? []
        case .postgresql:
            guard let settings = configuration.postgresql else { return [] }
            var addresses = [("postgresql.url", try? settings.address)]
            if settings.wake == .notify, settings.listenURL != nil {
                addresses.append(("postgresql.listen_url", try? settings.listenAddress))
            }
            return addresses.filter { $0.1?.isVerified == false }.map { name, _ in
                Diagnostic(
                    nil, name,
                    "the server's identity is not verified: use sslmode=verify-full, and sslrootcert if its authority is your own",
                    .warning
                )
            }
        }
    }

    private static func lines(_ settings: PostgresSettings) -> [String] {
        var lines: [String] = []
        if let address = try? settings.address { lines.append(self.line("database:", address)) }
        switch settings.wake {
        case .poll:
            lines.append("  wake: poll; long polls learn of changes in other processes within a quarter of a second")
        case .notify where settings.listenURL == nil:
            // An address does not show whether it is a pooler or a server.
            lines.append(
                "  wake: notify, on a connection to the same address: it must not be a pooler in transaction mode")
        case .notify:
            if let address = try? settings.listenAddress {
                lines.append(self.line("wake: notify, listening at", address))
            }
        }
        lines.append(
            settings.migrate == .auto
                ? "  migrate: auto; `switchback migrate --grant ROLE` gives a role that only serves what it needs"
                : "  migrate: off; run `switchback migrate` as the owner before the first start and before each new version"
        )
        return lines
    }

    private static func line(_ name: String, _ address: PostgresAddress) -> String {
        "  \(name) \(address)"
    }
}
