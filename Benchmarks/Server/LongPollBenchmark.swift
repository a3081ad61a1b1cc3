import Foundation
import BenchmarkSupport
import TestSupport

/// The cost of a long poll, and how fast it gets its response after a change.
enum LongPollBenchmark {
    private static let rounds = Extent.of(3, short: 1)
    /// The limit of descriptors is 20,000 for each process here.
    private static let count = Extent.of(19_000, short: 200)
    private static let changes = Extent.of(5000, short: 50)

    static func measure(_ programs: RunningServer.Programs) throws {
        Output.line(
            "| \(self.count) long polls | bytes each | wake-up p50, ms | p99, ms | all changed, ms | stopped, ms |\n|---|--:|--:|--:|--:|--:|"
        )
        var (bytes, middle, high): ([Peer: Samples], [Peer: Samples], [Peer: Samples]) = ([:], [:], [:])
        var (all, stopped): ([Peer: Samples], Samples) = ([:], Samples())
        for _ in 0..<self.rounds {
            for peer in Peer.all(programs) {
                let samples = try self.paced(peer, programs)
                Output.note(
                    "\(peer.rawValue) woke: p50 \(Samples.text(samples.median, 2)) ms, p99 \(Samples.text(samples.percentile(0.99), 2)) ms"
                )
                middle[peer, default: Samples()].add(samples.median)
                high[peer, default: Samples()].add(samples.percentile(0.99))
                let server = try RunningServer(peer, programs)
                defer { server.stop() }
                let polls = try LongPollLoad(self.count, at: server)
                Output.note("\(self.count) long polls, \(Samples.text(polls.bytes, 0)) bytes each")
                bytes[peer, default: Samples()].add(polls.bytes)
                let last = try WakeUps.all(polls)
                Output.note("all: \(Samples.text(last, 0)) ms")
                all[peer, default: Samples()].add(last)
                guard peer == .switchback else { continue }
                try polls.renew(0..<self.count)
                stopped.add(try WakeUps.stopping(polls))
            }
        }
        for peer in Peer.allCases {
            guard let bytes = bytes[peer], let middle = middle[peer], let high = high[peer], let all = all[peer] else {
                continue
            }
            let stopped = peer == .switchback ? stopped.range(0) : ""
            Output.line(
                "| \(peer == .nginx ? "nginx with nchan" : peer.rawValue) | \(bytes.range(0)) | \(middle.range(2)) "
                    + "| \(high.range(2)) | \(all.range(0)) | \(stopped) |")
        }
    }

    /// Measures a server that has one core and knows it. The client polls its sockets all the time, so it has the other
    /// core to itself. Otherwise it would sometimes keep a thread of the server from running for a whole time slice of
    /// the system.
    private static func paced(_ peer: Peer, _ programs: RunningServer.Programs) throws -> Samples {
        let server = try RunningServer(peer, programs, cores: "0")
        defer { server.stop() }
        let polls = try LongPollLoad(self.count, at: server)
        try Cores.takeSecond()
        defer { Cores.takeBoth() }
        return try WakeUps.paced(polls, self.changes)
    }

    /// Measures as many as fit on this machine: four servers, each with a client process.
    static func measureMany(_ programs: RunningServer.Programs) throws {
        let (processes, each) = (Extent.of(4, short: 2), Extent.of(15_000, short: 100))
        let servers = try (0..<processes).map { _ in try RunningServer(.switchback, programs) }
        defer { for server in servers { server.stop() } }
        let before = servers.map(\.pssBytes).reduce(0, +)
        let holders = try servers.map { server in
            try ChildProcess(
                path: programs.own, ["hold", "\(server.port)", "\(each)"], in: server.folder,
                output: "\(server.folder)/held")
        }
        defer {
            for holder in holders {
                holder.terminate()
                _ = holder.end()
            }
        }
        for (server, holder) in zip(servers, holders) {
            while (try? String(contentsOfFile: "\(server.folder)/held", encoding: .utf8))?.contains("held") != true {
                guard holder.isRunning else { throw Wires.Failure(description: "a client process ended") }
                usleep(100_000)
            }
        }
        for server in servers { server.waitUntilIdle() }
        let bytes = (servers.map(\.pssBytes).reduce(0, +) - before) / Double(processes * each)
        Output.line(
            "\(processes * each) long polls at \(processes) processes: \(Samples.text(bytes, 0)) bytes each, including the processes' own first allocations"
        )
    }

    /// Runs one client of `measureMany`.
    static func hold(_ count: Int, at port: UInt16) throws {
        let names = Name.make(count)
        try RequestLoad.run(names.map { Peer.switchback.create($0) }, to: port)
        let wires = Wires(port: port)
        for name in names { try wires.send(Peer.switchback.poll(name), to: try wires.connect()) }
        Output.line("held")
        sleep(100)
    }
}
