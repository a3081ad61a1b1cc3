import BenchmarkSupport

/// Thousands of long polls at one server, each on its own connection.
final class LongPollLoad {
    let server: RunningServer
    let wires: Wires
    private(set) var descriptors: [Int32] = []
    private(set) var names: [Name] = []
    /// The server's bytes for each poll, including its login.
    let bytes: Double

    init(_ count: Int, at server: RunningServer) throws {
        self.server = server
        self.wires = Wires(port: server.port)
        // After these requests the server has made all allocations that it makes only once.
        let few = Name.make(Extent.of(2000, short: 100))
        try RequestLoad.run(
            few.map { server.peer.createsLogins ? server.peer.create($0) : server.peer.request("GET /") },
            to: server.port)
        server.waitUntilIdle()
        let before = server.pssBytes
        self.names = Name.make(count)
        try Self.create(self.names, at: server)
        // Each sends at once, because a server gives a new connection only a limited time for its first request.
        for name in self.names {
            let descriptor = try self.wires.connect()
            self.descriptors.append(descriptor)
            try self.wires.send(server.peer.poll(name), to: descriptor)
        }
        server.waitUntilIdle()
        self.bytes = (server.pssBytes - before) / Double(count)
        try self.wires.receive(within: 0) { _, answer in
            throw Wires.Failure(description: "a long poll did not wait: status \(answer.status)")
        }
    }

    /// Polls again, for new logins, where the old polls got their responses.
    func renew(_ indices: Range<Int>) throws {
        let fresh = Name.make(indices.count)
        try Self.create(fresh, at: self.server)
        self.names.replaceSubrange(indices, with: fresh)
        for index in indices {
            try self.wires.send(self.server.peer.poll(self.names[index]), to: self.descriptors[index])
        }
        self.server.waitUntilIdle()
    }

    private static func create(_ names: [Name], at server: RunningServer) throws {
        guard server.peer.createsLogins else { return }
        try RequestLoad.run(names.map { server.peer.create($0) }, to: server.port)
    }
}
