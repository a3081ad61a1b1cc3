// The beginning of a connection that a proxy has made for somebody else.

import HTTPWire

extension Connection {
    /// What of the bytes is the client's own; nil when that is nothing. The header is awaited in `idle`, and so no longer
    /// than a head may take from the connection's beginning.
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
            // Nobody can say what is a request in it, so there is nobody to be told.
            self.table.parts.observer.connectionRefused(.badProxyHeader)
            self.close()
            return nil
        }
    }

    /// False when the client has too many connections and is told so.
    private func belongs(to client: IPAddress?) -> Bool {
        guard let client else { return true }
        self.peer = client
        guard self.table.parts.admission.count(client) else {
            self.table.parts.observer.connectionRefused(.tooManyFromAddress)
            // With TLS the client could be told only after a handshake.
            guard self.tls == nil else {
                self.close()
                return false
            }
            self.state.refuse(with: ServerRefusal(.connectionRefused(.tooManyFromAddress)))
            self.run()
            return false
        }
        self.place = .counted(client)
        return true
    }
}
