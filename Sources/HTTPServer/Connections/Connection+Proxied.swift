// The beginning of a connection that a proxy makes for a client.

import HTTPWire

extension Connection {
    /// Takes bytes while the PROXY header is expected, and what follows it. The connection is `idle` until the header is
    /// complete, so the time limit for a head applies from the beginning of the connection.
    func receiveBehindProxy(_ bytes: UnsafeRawBufferPointer, _ header: [UInt8]) {
        // A client that waits is asked for again by its timer, however often it sends.
        if self.place == .waiting {
            self.proxyHeader = header + bytes
        } else {
            self.begin(with: header + bytes)
        }
    }

    private func begin(with bytes: [UInt8]) {
        do throws(ProxyHeaderError) {
            guard let header = try ProxyHeader.read(bytes) else {
                self.proxyHeader = bytes
                return
            }
            switch self.place(of: header.client, havingRead: bytes.count) {
            case .waits:
                self.place = .waiting
                self.proxyHeader = bytes
                self.table.loop.schedule(after: Self.pause) { [weak self] in self?.askAgain() }
            case .refused(let refusal, let politely):
                self.proxyHeader = nil
                self.refuse(refusal, politely: politely)
            case .admitted:
                self.proxyHeader = nil
                bytes[header.length...].withUnsafeBytes { if !$0.isEmpty { self.receive($0) } }
            }
        } catch {
            // We cannot tell where a request begins, so we close without a response.
            self.table.parts.observer.connectionRefused(.badProxyHeader)
            self.close()
        }
    }

    private func place(of client: IPAddress?, havingRead count: Int) -> AdmissionControl.Decision {
        self.table.orderRoom()
        let admission = self.table.parts.admission
        guard let client else {
            self.place = .countedInTotal
            return admission.countForProxy()
        }
        self.peer = client
        let mayWait = count <= Self.longestBeginning && self.waitTime < Self.longestWait
        let decision = admission.count(client, mayWait: mayWait)
        if decision == .admitted { self.place = .counted }
        return decision
    }

    private func refuse(_ refusal: ConnectionRefusal, politely: Bool) {
        self.table.parts.observer.connectionRefused(refusal)
        self.place = politely ? .refused : .uncounted
        self.table.noteRefused()
        // With TLS we could send the reason only after a handshake, so we just close.
        guard self.tls == nil, politely else { return self.close() }
        self.state.refuse(with: ServerRefusal(.connectionRefused(refusal)))
        self.run()
    }

    /// Others may have given way.
    private func askAgain() {
        guard !self.state.isClosed, let header = self.proxyHeader else { return }
        self.begin(with: header)
    }

    /// How long a client waits for others to give way, in milliseconds.
    private static let longestWait: Int64 = 1000
    /// How many bytes it may send meanwhile.
    private static let longestBeginning = 64 * 1024
    private static let pause = Duration.milliseconds(20)
}
