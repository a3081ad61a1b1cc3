import Foundation
import BenchmarkSupport

/// The cost of creating a login, compared with nginx returning `200` and with a Hummingbird app doing the same work.
enum Creates {
    private static let rounds = Extent.of(5, short: 1)
    private static let count = Extent.of(20_000, short: 200)

    private enum Row: String, CaseIterable {
        case nginx = "nginx, GET, `return 200`"
        case nginxPost = "nginx, the same POST, `return 200`"
        case ours = "Switchback, create"
        case hummingbird = "Hummingbird, create"

        var peer: Peer {
            switch self {
            case .nginx, .nginxPost: .nginx
            case .ours: .switchback
            case .hummingbird: .hummingbird
            }
        }
    }

    /// The servers share one core, and the client has the other.
    static func measure(_ programs: RunningServer.Programs) throws {
        try Cores.takeSecond()
        defer { Cores.takeBoth() }
        let servers = try Dictionary(
            uniqueKeysWithValues: Peer.all(programs).map { ($0, try RunningServer($0, programs, cores: "0")) })
        defer { for server in servers.values { server.stop() } }
        var (costs, rates): ([Row: Samples], [Row: Samples]) = ([:], [:])
        for round in 0...self.rounds {
            for row in Row.allCases {
                guard let server = servers[row.peer] else { continue }
                let requests = Name.make(self.count).map { name in
                    row == .nginx ? row.peer.request("GET /") : row.peer.create(name)
                }
                let (cpu, wall) = (server.cpuSeconds, CPUTime.wallSeconds)
                try RequestLoad.run(requests, to: server.port)
                // The first round warms up.
                guard round > 0 else { continue }
                Output.note("\(row.rawValue): \(Samples.text((server.cpuSeconds - cpu) * 1e6 / Double(self.count))) µs")
                rates[row, default: Samples()].add(Double(self.count) / (CPUTime.wallSeconds - wall))
                costs[row, default: Samples()].add((server.cpuSeconds - cpu) * 1e6 / Double(self.count))
            }
        }
        Output.line("| request | CPU µs | vs. nginx | requests /s |\n|---|--:|--:|--:|")
        for row in Row.allCases {
            guard let cost = costs[row], let rate = rates[row] else { continue }
            let ratio = costs[.nginx].map { Samples.text(cost.median / $0.median, 2) } ?? ""
            Output.line("| \(row.rawValue) | \(cost.range()) | \(ratio) | \(Samples.text(rate.median, 0)) |")
        }
    }
}
