// TLS between the network and the connection.

import HTTPWire

extension Connection {
    /// Returns false when the server speaks TLS and this connection cannot.
    func beginTLS() -> Bool {
        guard let tls = self.table.parts.tls else { return true }
        // We refuse before the handshake, to save the work, so we cannot say why.
        guard self.isAdmitted else { return false }
        self.tls = tls.makeChannel()
        guard self.tls != nil else { return false }
        self.table.beginHandshake(self.id)
        return true
    }

    var isHandshaking: Bool { self.tls?.isHandshaking == true }

    /// Closes the connection because newer handshakes need its memory.
    func cutHandshake() {
        self.table.parts.observer.handshakeFailed(.tooMany)
        self.close()
    }

    /// Takes bytes from the network.
    func receive(_ bytes: UnsafeRawBufferPointer, through tls: TLSChannel) {
        // A handshake begins with the byte 22 (RFC 8446 §5.1), an HTTP method with a letter.
        if !tls.hasBegun, let first = bytes.first, (0x41...0x5A).contains(first & 0xDF) {
            return self.refusePlainHTTP(bytes)
        }
        guard self.state.isReading else { return self.take(bytes) }
        swap(&tls.outgoing, &self.table.sealed)
        tls.withIncoming(bytes) { while self.state.isReading, self.step(tls) {} }
        swap(&tls.outgoing, &self.table.sealed)
    }

    /// Encrypts for the client what `write` appends.
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

    /// Appends close_notify to the unsent bytes.
    func putEnd() {
        guard let tls else { return }
        tls.end()
        self.takeOutgoing(tls)
    }

    /// Sends close_notify if the client has not got it and no other bytes wait.
    func sayEnd() {
        guard let tls, self.output.isEmpty else { return }
        tls.end()
        guard !tls.outgoing.isEmpty else { return }
        // These few bytes almost always fit. If they do not, HTTP's own lengths still show where the response ends.
        _ = tls.outgoing.withUnsafeBytes { self.socket.write($0) }
        tls.outgoing = []
    }

    /// Reports an unfinished handshake when the client has gone or sends nothing more.
    func noteEndOfHandshake() {
        if let tls, tls.isHandshaking, tls.hasBegun, !tls.isBroken { self.table.parts.observer.handshakeFailed(.ended) }
    }

    /// Returns false when the received bytes are used up or useless.
    private func step(_ tls: TLSChannel) -> Bool {
        let result = tls.read(into: self.table.plain)
        self.takeOutgoing(tls)
        switch result {
        case .bytes(let count):
            self.take(UnsafeRawBufferPointer(rebasing: self.table.plain[..<count]))
            return true
        case .needsBytes: self.run()
        case .ended: self.takeEnd()
        case .failed(let failure):
            let isHandshaking = tls.isHandshaking
            if isHandshaking { self.table.parts.observer.handshakeFailed(failure) }
            // Closing at once could destroy the alert on its way to the client.
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

    private func refusePlainHTTP(_ bytes: UnsafeRawBufferPointer) {
        self.tls = nil
        self.table.parts.observer.handshakeFailed(.plainHTTP)
        self.state.refuse(with: ServerRefusal(.plainHTTP, head: RequestParser.head(in: bytes)))
        self.run()
    }
}
