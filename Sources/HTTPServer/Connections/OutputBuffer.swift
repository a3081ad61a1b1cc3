/// Bytes on their way to the client.
struct OutputBuffer {
    enum Flushed {
        case all(Int)
        /// The network takes no more now.
        case some(Int)
        case broken
    }

    private var bytes: [UInt8] = []
    private var sentCount = 0

    var count: Int { self.bytes.count - self.sentCount }
    var isEmpty: Bool { self.sentCount == self.bytes.count }

    /// Lets `write` append. Takes memory from `spare` if it has none.
    mutating func append<Failure: Error>(
        borrowing spare: inout BufferPool, _ write: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        if self.bytes.capacity == 0, let memory = spare.acquire() { self.bytes = memory }
        try write(&self.bytes)
    }

    /// Sends what the network takes. When all is sent, its memory goes back to `spare`, so an idle connection keeps
    /// none.
    mutating func flush(to socket: borrowing Socket, returning spare: inout BufferPool) -> Flushed {
        let before = self.sentCount
        while !self.isEmpty {
            switch self.bytes.withUnsafeBytes({ socket.write(UnsafeRawBufferPointer(rebasing: $0[self.sentCount...])) })
            {
            case .moved(let count): self.sentCount += count
            case .notNow: return .some(self.sentCount - before)
            case .end, .broken: return .broken
            }
        }
        let count = self.sentCount - before
        var memory: [UInt8] = []
        swap(&memory, &self.bytes)
        self.sentCount = 0
        spare.release(&memory)
        return .all(count)
    }
}

/// Keeps the memory of sent responses for the next ones.
struct BufferPool {
    /// The most buffers to keep.
    static let limit = 16
    /// The largest buffer to keep, in bytes.
    private static let size = 64 * 1024

    private var buffers: [[UInt8]] = []

    /// Returns nil when there is none.
    mutating func acquire() -> [UInt8]? { self.buffers.popLast() }

    mutating func release(_ buffer: inout [UInt8]) {
        guard buffer.capacity <= Self.size, self.buffers.count < Self.limit else { return }
        buffer.removeAll(keepingCapacity: true)
        self.buffers.append(buffer)
    }
}
