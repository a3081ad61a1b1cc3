import EventLoop
import HTTPServer
import Outbound
import ServerConfiguration

/// How the process divides its file descriptors. Clients get what the operations port, brokers and the store leave. So
/// however many clients connect, probes get a response and code exchanges can end.
package struct DescriptorBudget: Equatable, Sendable {
    /// For the operations port. Its few clients are probes and one or two collectors of metrics.
    package static let operations = 32
    /// For standard streams, loops, listeners, timers, and files that are read now and then.
    static let process = 48
    /// Clients get at least this many, so that a server with a very low limit still serves some.
    static let fewest = 8

    /// The number of descriptors that the process may have.
    let limit: Int
    /// What `limits.connections` asks for.
    let wantedConnections: Int
    /// The most connections of clients at the same time.
    package let connections: Int
    /// The most clients that get a refusal at the same time.
    package let refusals: Int
    /// The number of descriptors that the whole configuration needs.
    package let needed: Int

    package init(_ configuration: Configuration, limit: Int) {
        self.init(
            limit: limit, connections: configuration.limits.connections,
            // One part is for authorization attempts, one for all other requests.
            brokers: configuration.brokers.count
                * (2 * configuration.limits.brokerConnections + OutboundSettings.urgentConnections),
            store: Self.store(configuration))
    }

    init(limit: Int, connections wantedConnections: Int, brokers: Int, store: Int) {
        let fixedCount = Self.process + Self.operations + store
        let mostRefusals = ServerLimits().refusals
        self.limit = limit
        self.wantedConnections = wantedConnections
        self.needed = fixedCount + brokers + wantedConnections + mostRefusals
        // Brokers seldom use all their connections, so with a low limit and many brokers they get half.
        let rest = limit - fixedCount
        let forClients = rest - min(brokers, max(rest / 2, 0))
        self.refusals = min(mostRefusals, max(forClients / 8, 1))
        self.connections = min(wantedConnections, max(forClients - self.refusals, Self.fewest))
    }

    /// Nil when `limits.connections` is possible.
    package var shortage: String? {
        guard self.connections < self.wantedConnections else { return nil }
        return
            "\(self.wantedConnections) connections need \(self.needed) file descriptors, including those reserved for brokers, "
            + "the store and the operations port, but this process may have \(self.limit): only \(self.connections) connections "
            + "are accepted. Lower limits.connections, or \(Descriptors.advice)"
    }

    private static func store(_ configuration: Configuration) -> Int {
        switch configuration.store {
        case .memory: 0
        // The database, its write-ahead log, their index, the lock and the folder, and the same number for a second
        // connection.
        case .sqlite: 12
        // One to listen, and one that is closing while its successor opens.
        case .postgresql: (configuration.postgresql?.connections ?? 0) + 2
        }
    }
}

extension DescriptorBudget {
    /// Returns what `check` says about the limit that a server started here and now would have.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        let shortage = DescriptorBudget(configuration, limit: Descriptors.hardLimit).shortage
        return shortage.map { [Diagnostic(nil, "limits.connections", $0, .warning)] } ?? []
    }
}
