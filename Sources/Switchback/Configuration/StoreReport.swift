/// Where logins will be kept, as `switchback check` prints it.
import Stores

package enum StoreReport {
    package static func text(_ configuration: Configuration) -> String {
        switch configuration.store {
        case .memory: return "Store memory:\n  logins end with the process\n"
        case .sqlite:
            let path = configuration.sqlitePath
            let lines = ["Store sqlite:", "  file: \(path)"]
            let obstacle = SQLiteFiles.obstacle(path).map { ["  warning: as this user \($0)"] } ?? []
            return (lines + obstacle).joined(separator: "\n") + "\n"
        case .postgresql:
            guard let settings = configuration.postgresql else { return "" }
            return (["Store postgresql:"] + self.lines(settings)).joined(separator: "\n") + "\n"
        }
    }

    private static func lines(_ settings: PostgresSettings) -> [String] {
        var lines: [String] = []
        if let address = try? settings.address { lines += self.lines("database", address) }
        switch settings.wake {
        case .poll: lines.append("  wake: poll; held polls learn of other processes within a quarter of a second")
        case .notify where settings.listenURL == nil:
            // Nothing in an address tells a pooler from a server.
            lines.append(
                "  wake: notify, on a connection to the same address: it must not be a pooler in transaction mode")
        case .notify:
            if let address = try? settings.listenAddress { lines += self.lines("wake: notify, listening at", address) }
        }
        lines.append(
            settings.migrate == .auto
                ? "  migrate: auto; a role that only serves needs no more than `switchback migrate --grant ROLE` gives it"
                : "  migrate: off; run `switchback migrate` as the owner before the first start and before each new version"
        )
        return lines
    }

    private static func lines(_ name: String, _ address: PostgresAddress) -> [String] {
        let place = name.hasSuffix("at") ? "  \(name) \(address)" : "  \(name): \(address)"
        guard !address.isVerified else { return [place] }
        return [
            place,
            "  warning: the server need not prove who it is: use sslmode=verify-full, and sslrootcert where its authority is your own",
        ]
    }
}
