/// Bytes on their way to the client.
struct Output {
    enum Flushed {
        case all(Int)
        /// The network takes no more now.
        case some(Int)
        case broken
    }

    private var bytes: [UInt8] = []
    private var sent = 0

    var count: Int { self.bytes.count - self.sent }
    var isEmpty: Bool { self.sent == self.bytes.count }

    /// Lets `write` append. An empty one borrows memory of the `spare` for it.
    mutating func append<Failure: Error>(
        borrowing spare: inout BufferPool, _ write: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if self.bytes.capacity == 0, let memory = spare.take() { self.bytes = memory }
        try write(&self.bytes)
    }

    /// Sends what the network takes. An idle connection keeps no memory: it goes back to the `spare` when all is sent.
    mutating func flush(to socket: borrowing Socket, returning spare: inout BufferPool) -> Flushed {
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
        spare.giveBack(&memory)
        return .all(count)
    }
}

/// Memory of answers that were sent, for the next ones.
struct BufferPool {
    /// How many are kept.
    static let limit = 16
    /// Bytes of one that is kept.
    private static let size = 64 * 1024

    private var buffers: [[UInt8]] = []

    /// Nil when there is none.
    mutating func take() -> [UInt8]? { self.buffers.popLast() }

    mutating func giveBack(_ buffer: inout [UInt8]) {
        guard buffer.capacity <= Self.size, self.buffers.count < Self.limit else { return }
        buffer.removeAll(keepingCapacity: true)
        self.buffers.append(buffer)
    }
}
