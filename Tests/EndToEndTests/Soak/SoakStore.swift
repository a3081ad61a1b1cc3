/// The stores that outlive a process: each is soaked in the same way.
import Foundation
import TestSupport

enum SoakStore: String, CaseIterable, Sendable {
    case sqlite
    case postgresql

    /// Those that several servers may share.
    static let shared: [SoakStore] = [.postgresql]

    /// A store of its own, in this folder: what the configuration says of it, and what has to run for it.
    func open(in folder: String) throws -> Opened {
        switch self {
        case .sqlite:
            Opened(settings: "sqlite: {path: \(folder)/data/switchback.db}", close: {})
        case .postgresql:
            try Self.postgresql(PostgresNode.fresh())
        }
    }

    struct Opened: Sendable {
        /// Lines of YAML.
        let settings: String
        let close: @Sendable () -> Void

        init(settings: String, close: @escaping @Sendable () -> Void) {
            self.settings = settings
            self.close = close
        }

        /// A database that the caller starts and ends.
        init(databaseURL: String, wake: String = "notify") {
            self.init(
                settings: "store: postgresql\npostgresql: {url: \"\(databaseURL)\", wake: \(wake)}", close: {})
        }
    }

    private static func postgresql(_ node: PostgresNode) throws -> Opened {
        Opened(settings: Opened(databaseURL: node.url).settings, close: { node.remove() })
    }
}
