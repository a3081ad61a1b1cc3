/// Sends requests one after the other on each of 64 connections.
package enum RequestLoad {
    package static let width = 64

    /// Sends all of them. Returns when all have succeeded.
    package static func run(_ requests: [[UInt8]], to port: UInt16) throws {
        let wires = Wires(port: port)
        var (next, answered) = (0, 0)
        for descriptor in try wires.connect(min(self.width, requests.count)) {
            try wires.send(requests[next], to: descriptor)
            next += 1
        }
        while answered < requests.count {
            try wires.receive(within: 5000) { descriptor, answer in
                guard 200..<300 ~= answer.status else { throw Wires.Failure(description: "answered \(answer.status)") }
                answered += 1
                guard next < requests.count else { return }
                try wires.send(requests[next], to: descriptor)
                next += 1
            }
        }
    }
}
