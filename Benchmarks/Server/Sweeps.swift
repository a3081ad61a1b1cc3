import Foundation
import BenchmarkSupport

/// Whether requests wait while a million logins end, and whether their memory is released.
enum Sweeps {
    /// The most that a request may wait, in milliseconds. The machine's own noise may be more, which the first row of
    /// each store shows.
    private static let limit = 2.0

    static func measure(_ programs: RunningServer.Programs, stored: Int) throws {
        Output.line(
            "| store | stored | | requests | p50, ms | p99, ms | p99.9, ms | longest, ms | over 2 ms |"
                + "\n|---|--:|---|--:|--:|--:|--:|--:|--:|"
        )
        for store in ["memory", "sqlite"] {
            let server = try RunningServer(.switchback, programs, store: store, isClocked: true)
            defer { server.stop() }
            let probe = Name()
            try RequestLoad.run([Peer.switchback.create(probe)], to: server.port)
            let first = server.pssBytes
            for begin in stride(from: 0, to: stored, by: 20_000) {
                let names = Name.make(min(20_000, stored - begin))
                try RequestLoad.run(names.map { Peer.switchback.create($0) }, to: server.port)
            }
            server.waitUntilIdle()
            let peak = server.pssBytes
            func row(_ what: String, _ samples: Samples) {
                let cells = [0.5, 0.99, 0.999, 1].map { Samples.text(samples.percentile($0), 2) }
                let (count, late) = (samples.values.count, samples.values.count { $0 > Self.limit })
                Output.line(
                    "| \(store) | \(stored) | \(what) | \(count) | \(cells.joined(separator: " | ")) | \(late) |")
            }
            row("nothing due", try self.probe(server, seconds: Extent.of(10.0, short: 0.5)))
            for step in ["all expire", "all are forgotten", "all are removed"] {
                server.process.send(SIGUSR1)
                row(step, try self.probe(server, seconds: Extent.of(15.0, short: 0.5)))
                if store == "memory" { server.waitUntilQuiet() }
            }
            guard store == "memory" else { continue }
            sleep(3)
            Output.line(
                "memory: PSS \(Int(first / 1e6)) MB, \(Int(peak / 1e6)) MB with \(stored) stored, \(Int(server.pssBytes / 1e6)) MB after the sweep"
            )
        }
    }

    /// Sends a create every 2 ms on its own connection. Measures from before it is sent until the response arrives.
    private static func probe(_ server: RunningServer, seconds: Double) throws -> Samples {
        let wires = Wires(port: server.port)
        let descriptor = try wires.connect()
        var samples = Samples()
        let requests = Name.make(Int(seconds * 500)).map { Peer.switchback.create($0) }
        let start = CPUTime.wallSeconds
        for (index, request) in requests.enumerated() {
            while CPUTime.wallSeconds < start + Double(index) / 500 { usleep(100) }
            let sent = CPUTime.wallSeconds
            try wires.send(request, to: descriptor)
            var isAnswered = false
            while !isAnswered { try wires.receive(within: 1000) { _, _ in isAnswered = true } }
            samples.add((CPUTime.wallSeconds - sent) * 1000)
        }
        return samples
    }
}

extension RunningServer {
    /// Waits until the process uses less than a tenth of a core, for at most two minutes.
    fileprivate func waitUntilQuiet() {
        for _ in 0..<120 {
            let before = self.cpuSeconds
            sleep(1)
            if self.cpuSeconds - before < 0.1 { return }
        }
    }
}
