// TLS between the network and the connection.

import HTTPWire

extension Connection {
    /// False when the server speaks TLS and this connection cannot.
    func beginTLS() -> Bool {
        guard let tls = self.table.parts.tls else { return true }
        // Refuse before the handshake. It saves the work, and we could not send a reason any earlier.
        guard self.isAdmitted else { return false }
        self.tls = tls.makeChannel()
        guard self.tls != nil else { return false }
        self.table.beginHandshake(self.id)
        return true
    }

    var isHandshaking: Bool { self.tls?.isHandshaking == true }

    /// Others need its memory.
    func cutHandshake() {
        self.table.parts.observer.handshakeFailed(.tooMany)
        self.close()
    }

    /// What came over the network.
    func receive(_ bytes: UnsafeRawBufferPointer, through tls: TLSChannel) {
        // A handshake begins with the byte 22 (RFC 8446 §5.1), an HTTP method with a letter.
        if !tls.hasBegun, let first = bytes.first, (0x41...0x5A).contains(first & 0xDF) {
            return self.refusePlainHTTP()
        }
        guard self.state.isReading else { return self.take(bytes) }
        swap(&tls.outgoing, &self.table.sealed)
        tls.withIncoming(bytes) { while self.state.isReading, self.step(tls) {} }
        swap(&tls.outgoing, &self.table.sealed)
    }

    /// Lets `write` append what the client is to read.
    func put<Failure: Error>(
        through tls: TLSChannel, _ write: (inout [UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var plain: [UInt8] = []
        swap(&plain, &self.table.unsealed)
        defer {
            plain.removeAll(keepingCapacity: plain.capacity <= 256 * 1024)
            swap(&plain, &self.table.unsealed)
        }
        try write(&plain)
        self.output.append(borrowing: &self.table.spare) { tls.seal(plain, into: &$0) }
        if tls.isBroken { self.state.close() }
    }

    /// Lets the client read, after all that it is to read, that nothing more comes.
    func putEnd() {
        guard let tls else { return }
        tls.end()
        self.takeOutgoing(tls)
    }

    /// Tells the client, if it was not told and it is not too late, that nothing more comes.
    func sayEnd() {
        guard let tls, self.output.isEmpty else { return }
        tls.end()
        guard !tls.outgoing.isEmpty else { return }
        // It is a few bytes for a network that has just taken all before them. If it does not take them, HTTP's own
        // lengths still say where the answer ends.
        _ = tls.outgoing.withUnsafeBytes { self.socket.write($0) }
        tls.outgoing = []
    }

    /// The client has gone, or sends nothing more.
    func noteEndOfHandshake() {
        if let tls, tls.isHandshaking, tls.hasBegun, !tls.isBroken { self.table.parts.observer.handshakeFailed(.ended) }
    }

    /// False when there is nothing more to be done with what came.
    private func step(_ tls: TLSChannel) -> Bool {
        let reading = tls.read(into: self.table.plain)
        self.takeOutgoing(tls)
        switch reading {
        case .bytes(let count):
            self.take(UnsafeRawBufferPointer(rebasing: self.table.plain[..<count]))
            return true
        case .needsBytes: self.run()
        case .ended: self.takeEnd()
        case .failed(let failure):
            let isHandshaking = tls.isHandshaking
            if isHandshaking { self.table.parts.observer.handshakeFailed(failure) }
            // Closing at once could destroy, on its way, the alert that says why.
            self.state.finish(lingers: isHandshaking)
            self.run()
        }
        return false
    }

    private func takeOutgoing(_ tls: TLSChannel) {
        guard !tls.outgoing.isEmpty else { return }
        self.output.append(borrowing: &self.table.spare) { $0.append(contentsOf: tls.outgoing) }
        tls.outgoing.removeAll(keepingCapacity: true)
    }

    private func refusePlainHTTP() {
        self.tls = nil
        self.table.parts.observer.handshakeFailed(.plainHTTP)
        self.state.refuse(with: ServerRefusal(.plainHTTP))
        self.run()
    }
}
