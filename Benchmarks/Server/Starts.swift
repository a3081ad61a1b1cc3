import BenchmarkSupport

/// How long a server takes from its start until it accepts a connection, and its memory before anybody has asked it.
enum Starts {
    private static let rounds = Extent.of(15, short: 1)

    static func measure(_ programs: RunningServer.Programs) throws {
        let stores = [(Peer.switchback, "memory"), (.switchback, "sqlite")]
        let servers = stores + Peer.all(programs).filter { $0 != .switchback }.map { ($0, "") }
        var starts = [[String: Samples]](repeating: [:], count: servers.count)
        for round in 0...self.rounds {
            for (index, (peer, store)) in servers.enumerated() {
                let server = try RunningServer(peer, programs, store: store)
                defer { server.stop() }
                server.waitUntilIdle()
                // The first round reads the program from the disk.
                guard round > 0 else { continue }
                starts[index]["ready", default: Samples()].add(server.startSeconds * 1000)
                starts[index]["CPU", default: Samples()].add(server.cpuSeconds * 1000)
                starts[index]["all", default: Samples()].add(server.pssBytes / 1e6)
                starts[index]["own", default: Samples()].add(server.anonymousBytes / 1e6)
            }
        }
        Output.line("| server | accepts after, ms | CPU, ms | idle, MB | of it its own, MB |\n|---|--:|--:|--:|--:|")
        for ((peer, store), samples) in zip(servers, starts) {
            let name = peer == .switchback ? "\(peer.rawValue), \(store)" : peer.rawValue
            let columns = ["ready", "CPU", "all", "own"].map { samples[$0]?.range() ?? "" }
            Output.line("| \(name) | \(columns.joined(separator: " | ")) |")
        }
    }
}
