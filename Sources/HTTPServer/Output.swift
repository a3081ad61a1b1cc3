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

    /// Lets `write` append. An empty one borrows `spare`'s memory for it.
    mutating func append<Failure: Error>(
        borrowing spare: inout [UInt8], _ write: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if self.bytes.capacity == 0 { swap(&self.bytes, &spare) }
        try write(&self.bytes)
    }

    /// Sends what the network takes. An idle connection keeps no memory: it goes back to `spare` when all is sent.
    mutating func flush(to socket: Socket, returning spare: inout [UInt8]) -> Flushed {
        let before = self.sent
        while !self.isEmpty {
            switch self.bytes.withUnsafeBytes({ socket.write(UnsafeRawBufferPointer(rebasing: $0[self.sent...])) }) {
            case .moved(let count): self.sent += count
            case .notNow: return .some(self.sent - before)
            case .end, .broken: return .broken
            }
        }
        let count = self.sent - before
        self.bytes.removeAll(keepingCapacity: self.bytes.capacity <= 256 * 1024)
        if spare.capacity < self.bytes.capacity { swap(&self.bytes, &spare) }
        self.bytes = []
        self.sent = 0
        return .all(count)
    }
}
