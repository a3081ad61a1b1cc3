import Foundation
import GRDB
import TestSupport

/// The stores that outlive a process; all get the same soak.
enum SoakStore: String, CaseIterable, Sendable {
    case sqlite
    case postgresql

    /// The stores that several servers may share.
    static let shared: [SoakStore] = [.postgresql]

    /// Makes a new store in this folder. Returns its settings, and how to end what runs for it.
    func open(in folder: String) throws -> Opened {
        switch self {
        case .sqlite:
            Self.sqlite("\(folder)/data/switchback.db")
        case .postgresql:
            try Self.postgresql(PostgresNode.fresh())
        }
    }

    struct Opened: Sendable {
        /// Lines of the configuration, in YAML.
        let settings: String
        let close: @Sendable () -> Void
        /// Returns the number of stored sessions, and the highest revision of one. No server may run.
        let sessions: @Sendable () throws -> (count: Int, revision: Int)

        init(
            settings: String, close: @escaping @Sendable () -> Void,
            sessions: @escaping @Sendable () throws -> (count: Int, revision: Int) = { (0, 0) }
        ) {
            self.settings = settings
            self.close = close
            self.sessions = sessions
        }

        /// Uses a database that the caller starts and ends.
        init(databaseURL: String, wake: String = "notify") {
            self.init(
                settings: "store: postgresql\npostgresql: {url: \"\(databaseURL)\", wake: \(wake)}", close: {})
        }
    }

    private static func sqlite(_ file: String) -> Opened {
        Opened(
            settings: "sqlite: {path: \(file)}", close: {},
            sessions: {
                let row = try DatabaseQueue(path: file).read { database in
                    try Row.fetchOne(database, sql: "SELECT count(*), max(revision) FROM sessions")
                }
                return (row?[0] ?? 0, row?[1] ?? 0)
            })
    }

    private static func postgresql(_ node: PostgresNode) throws -> Opened {
        Opened(
            settings: Opened(databaseURL: node.url).settings, close: { node.remove() },
            sessions: {
                let row = try node.query("SELECT count(*), max(revision) FROM switchback.session").split(separator: "|")
                return (Int(row.first ?? "") ?? 0, Int(row.last ?? "") ?? 0)
            })
    }
}
