/// A store that the server under test is told to use.
import TestSupport

enum ServedStore: String, CaseIterable {
    case memory, sqlite, postgresql

    /// Lines of YAML. A file lies in the folder, which goes with the run; a database is the run's own server's.
    func settings(in folder: String) throws -> String {
        switch self {
        case .memory:
            return "store: memory"
        case .sqlite:
            return "store: sqlite\nsqlite: {path: \(folder)/switchback.db}"
        case .postgresql:
            let server = try PostgresServer.shared()
            return "store: postgresql\npostgresql: {url: \"\(server.url(try server.makeDatabase(named: "bench")))\"}"
        }
    }
}
