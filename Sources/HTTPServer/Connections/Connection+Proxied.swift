// The beginning of a connection that a proxy makes for a client.

import HTTPWire

extension Connection {
    /// Returns the bytes after the PROXY header; nil when there are none. The connection is `idle` until the header is
    /// complete, so the time limit for a head applies from the beginning of the connection.
    func behindProxyHeader(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        guard var begun = self.proxyHeader else { return bytes }
        let before = begun.count
        begun.append(contentsOf: bytes)
        do throws(ProxyHeaderError) {
            guard let header = try ProxyHeader.read(begun) else {
                self.proxyHeader = begun
                return nil
            }
            self.proxyHeader = nil
            guard self.belongs(to: header.client) else { return nil }
            let rest = bytes[(header.length - before)...]
            return rest.isEmpty ? nil : UnsafeRawBufferPointer(rebasing: rest)
        } catch {
            // We cannot tell where a request begins, so we close without a response.
            self.table.parts.observer.connectionRefused(.badProxyHeader)
            self.close()
            return nil
        }
    }

    /// Returns false when the client has too many connections and is refused.
    private func belongs(to client: IPAddress?) -> Bool {
        guard let client else { return true }
        self.peer = client
        if case .refused(let refusal, let politely) = self.table.parts.admission.count(client) {
            self.table.parts.observer.connectionRefused(refusal)
            self.place = politely ? .refused : .uncounted
            self.table.noteRefused()
            // With TLS we could send the reason only after a handshake, so we just close.
            guard self.tls == nil, politely else {
                self.close()
                return false
            }
            self.state.refuse(with: ServerRefusal(.connectionRefused(refusal)))
            self.run()
            return false
        }
        self.place = .counted
        return true
    }
}
