/// How the process shares out its file descriptors: clients get what is left when the operations port, brokers and the
/// store have theirs. So however many connect, probes are answered and exchanges can end.
import EventLoop
import HTTPServer
import ServerConfiguration

package struct DescriptorBudget: Equatable, Sendable {
    /// For the operations port. Its few clients are probes and one or two that read metrics.
    package static let operations = 32
    /// Standard streams, loops, listeners, timers, and files that are read now and then.
    static let process = 48
    /// What is left to clients however few there are, so that a server with a very low limit serves somebody.
    static let fewest = 8

    /// How many descriptors there may be.
    let limit: Int
    /// What `limits.connections` asks for.
    let wanted: Int
    /// Clients' connections at the same time.
    package let connections: Int
    /// Clients that are told at the same time that there are too many.
    package let refusals: Int
    /// How many descriptors it would take to have all that is configured.
    package let needed: Int

    package init(_ configuration: Configuration, limit: Int) {
        self.init(
            limit: limit, connections: configuration.limits.connections,
            // One part for openings, one for exchanges.
            brokers: configuration.brokers.count * 2 * configuration.limits.brokerConnections,
            store: Self.store(configuration))
    }

    init(limit: Int, connections wanted: Int, brokers: Int, store: Int) {
        let fixed = Self.process + Self.operations + store
        let mostRefusals = ServerLimits().refusals
        self.limit = limit
        self.wanted = wanted
        self.needed = fixed + brokers + wanted + mostRefusals
        // Brokers' connections are seldom all in use: with a low limit and many brokers they get half.
        let rest = limit - fixed
        let forClients = rest - min(brokers, max(rest / 2, 0))
        self.refusals = min(mostRefusals, max(forClients / 8, 1))
        self.connections = min(wanted, max(forClients - self.refusals, Self.fewest))
    }

    /// Nil when `limits.connections` can be had.
    package var shortage: String? {
        guard self.connections < self.wanted else { return nil }
        return "\(self.wanted) connections take \(self.needed) file descriptors with those that are kept for brokers, "
            + "the store and the operations port, and this process may have \(self.limit): \(self.connections) connections "
            + "are taken. Lower limits.connections, or \(Descriptors.advice)"
    }

    private static func store(_ configuration: Configuration) -> Int {
        switch configuration.store {
        case .memory: 0
        // The database, its write-ahead log, their index, the lock, the folder, and as many for a second connection.
        case .sqlite: 12
        // One to listen on, and one that is closing while its successor opens.
        case .postgresql: (configuration.postgresql?.connections ?? 0) + 2
        }
    }
}

extension DescriptorBudget {
    /// What `check` says of the limit that a server started here and now would have.
    package static func warnings(_ configuration: Configuration) -> [Diagnostic] {
        let shortage = DescriptorBudget(configuration, limit: Descriptors.hardLimit).shortage
        return shortage.map { [Diagnostic(nil, "limits.connections", $0, .warning)] } ?? []
    }
}
