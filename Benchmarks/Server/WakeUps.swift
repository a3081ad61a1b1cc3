import Glibc
import BenchmarkSupport

/// Measures how long a change takes to reach the clients that wait for it.
enum WakeUps {
    /// Makes one change per millisecond, `count` of them. Measures from before each is sent until the long poll's
    /// response arrives, in ms.
    static func paced(_ polls: LongPollLoad, _ count: Int) throws -> Samples {
        let (wires, peer) = (polls.wires, polls.server.peer)
        let senders = try wires.connect(16)
        defer { for sender in senders { wires.close(sender) } }
        let changes = polls.names[..<count].map { peer.change($0) }
        let indices = Dictionary(uniqueKeysWithValues: zip(polls.descriptors[..<count], 0..<count))
        var (samples, sentAt, sent) = (Samples(), [Double](), 0)
        let start = CPUTime.wallSeconds
        while samples.values.count < count {
            let ahead = start + Double(sent) / 1000 - CPUTime.wallSeconds
            if sent < count, ahead <= 0 {
                sentAt.append(CPUTime.wallSeconds)
                try wires.send(changes[sent], to: senders[sent % senders.count])
                sent += 1
                continue
            }
            guard CPUTime.wallSeconds < start + Double(count) / 1000 + 30 else {
                throw Wires.Failure(description: "a wake-up was lost")
            }
            // Waiting in epoll is exact only to a millisecond, so this polls as often as it can.
            try wires.receive(within: 0) { descriptor, _ in
                if let index = indices[descriptor] { samples.add((CPUTime.wallSeconds - sentAt[index]) * 1000) }
            }
        }
        return samples
    }

    /// Changes all logins as fast as 64 connections can. Measures until the last client is notified, in ms.
    static func all(_ polls: LongPollLoad) throws -> Double {
        let (wires, peer) = (polls.wires, polls.server.peer)
        let senders = try wires.connect(RequestLoad.width)
        defer { for sender in senders { wires.close(sender) } }
        var batches = [[UInt8]](repeating: [], count: senders.count)
        for (index, name) in polls.names.enumerated() { batches[index % senders.count] += peer.change(name) }
        let held = Set(polls.descriptors)
        let start = CPUTime.wallSeconds
        for (sender, batch) in zip(senders, batches) { try wires.send(batch, to: sender) }
        return try self.waitForAll(held, wires, since: start)
    }

    /// Stops the server, which then responds to all long polls.
    static func stopping(_ polls: LongPollLoad) throws -> Double {
        polls.wires.expectsEnds = true
        let start = CPUTime.wallSeconds
        polls.server.process.send(SIGTERM)
        return try self.waitForAll(Set(polls.descriptors), polls.wires, since: start)
    }

    private static func waitForAll(_ held: Set<Int32>, _ wires: Wires, since start: Double) throws -> Double {
        var (left, last) = (held.count, start)
        while left > 0 {
            guard CPUTime.wallSeconds < start + 30 else {
                throw Wires.Failure(description: "\(left) were not notified")
            }
            try wires.receive(within: 1000) { descriptor, _ in
                guard held.contains(descriptor) else { return }
                left -= 1
                last = CPUTime.wallSeconds
            }
        }
        return (last - start) * 1000
    }
}
