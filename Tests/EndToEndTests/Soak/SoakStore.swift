/// The stores that outlive a process; all get the same soak.
import Foundation
import TestSupport

enum SoakStore: String, CaseIterable, Sendable {
    case sqlite
    case postgresql

    /// The stores that several servers may share.
    static let shared: [SoakStore] = [.postgresql]

    /// Makes a new store in this folder. Returns its settings, and how to end what runs for it.
    func open(in folder: String) throws -> Opened {
        switch self {
        case .sqlite:
            Opened(settings: "sqlite: {path: \(folder)/data/switchback.db}", close: {})
        case .postgresql:
            try Self.postgresql(PostgresNode.fresh())
        }
    }

    struct Opened: Sendable {
        /// Lines of the configuration, in YAML.
        let settings: String
        let close: @Sendable () -> Void

        init(settings: String, close: @escaping @Sendable () -> Void) {
            self.settings = settings
            self.close = close
        }

        /// Uses a database that the caller starts and ends.
        init(databaseURL: String, wake: String = "notify") {
            self.init(
                settings: "store: postgresql\npostgresql: {url: \"\(databaseURL)\", wake: \(wake)}", close: {})
        }
    }

    private static func postgresql(_ node: PostgresNode) throws -> Opened {
        Opened(settings: Opened(databaseURL: node.url).settings, close: { node.remove() })
    }
}
