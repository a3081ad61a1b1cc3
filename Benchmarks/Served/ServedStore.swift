import TestSupport

/// The store of the server under test.
package enum ServedStore: String, CaseIterable {
    case memory, sqlite, postgresql

    /// Returns lines of YAML. A SQLite file is in the folder, which is deleted after the run. The run has its own
    /// PostgreSQL server.
    package func settings(in folder: String) throws -> String {
        switch self {
        case .memory:
            return "store: memory"
        case .sqlite:
            return "store: sqlite\nsqlite: {path: \(folder)/switchback.db}"
        case .postgresql:
            let server = try PostgresServer.shared()
            // A benchmark may start several servers, one after another.
            _ = try server.run("DROP DATABASE IF EXISTS bench")
            return "store: postgresql\npostgresql: {url: \"\(server.url(try server.makeDatabase(named: "bench")))\"}"
        }
    }
}
