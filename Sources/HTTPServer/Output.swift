/// Bytes on their way to the client.
struct Output {
    enum Flushed {
        case all(Int)
        /// The network takes no more now.
        case some(Int)
        case broken
    }

    /// Memory that is kept for others.
    private static let kept = 64 * 1024

    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { self.bytes.count - self.sent }
    var isEmpty: Bool { self.sent == self.bytes.count }

    /// Lets `write` append. An empty one borrows memory of the `spare` for it.
    mutating func append<Failure: Error>(
        borrowing spare: inout [[UInt8]], _ write: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if self.bytes.capacity == 0, let memory = spare.popLast() { self.bytes = memory }
        try write(&self.bytes)
    }

    /// Sends what the network takes. An idle connection keeps no memory: it goes back to the `spare` when all is sent.
    mutating func flush(to socket: Socket, returning spare: inout [[UInt8]]) -> Flushed {
        let before = self.sent
        while !self.isEmpty {
            switch self.bytes.withUnsafeBytes({ socket.write(UnsafeRawBufferPointer(rebasing: $0[self.sent...])) }) {
            case .moved(let count): self.sent += count
            case .notNow: return .some(self.sent - before)
            case .end, .broken: return .broken
            }
        }
        let count = self.sent - before
        var memory: [UInt8] = []
        swap(&memory, &self.bytes)
        self.sent = 0
        if memory.capacity <= Self.kept, spare.count < ConnectionTable.together {
            memory.removeAll(keepingCapacity: true)
            spare.append(memory)
        }
        return .all(count)
    }
}
