// From a whole request to its answer.

import EventLoop
import HTTPWire

extension Connection {
    func handle(_ request: Request) {
        self.sequence &+= 1
        self.asked = Asked(method: request.method, version: request.version, keepsAlive: request.head.keepsAlive)
        self.phase = .answering
        self.table.parts.observer.requestReceived()
        switch request.target.form {
        case .origin, .absolute:
            let exchange = Exchange(peer: self.peer, table: self.table, connection: self.id, sequence: self.sequence)
            self.table.parts.handler.handle(request, exchange)
        // About the server and no resource of it: there is nothing to say (RFC 9110 §9.3.7).
        case .asterisk: self.answer(Response(.noContent), to: self.sequence)
        // We are no proxy (RFC 9110 §9.3.6).
        case .authority: self.refuse(.notImplemented)
        }
    }

    func answer(_ response: Response, to sequence: UInt32) {
        guard self.phase == .answering, !self.asked.isStreaming, sequence == self.sequence else { return }
        let keepsAlive = self.keepsAlive(after: response)
        self.phase = keepsAlive ? .idle : .finishing
        self.write(response.packed(by: self.table.gzip), keepsAlive: keepsAlive)
        self.goOn()
    }

    /// Whether another request may follow.
    func keepsAlive(after response: Response) -> Bool {
        guard self.asked.keepsAlive, self.table.keepsAlive else { return false }
        return response.fields[.connection]?.lowercased() != "close"
    }

    /// The answer is given; `phase` says what comes next.
    func goOn() {
        self.asked = Asked()
        if self.phase == .finishing, let intake, intake.parser.unread > 0 { self.needsLingering = true }
        self.process()
    }

    func onGone(_ action: @escaping @Sendable () -> Void, from sequence: UInt32) {
        guard self.phase == .answering, sequence == self.sequence else { return }
        if let earlier = self.asked.goneAction {
            self.asked.goneAction = {
                earlier()
                action()
            }
        } else {
            self.asked.goneAction = action
        }
        // Whoever asks for this will be a while, and there may be thousands: none keeps an entry that it has no use for.
        if let entry = self.clock.stop() { self.table.loop.cancel(entry) }
        if self.isHalfClosed { return self.close() }
        // Later than in `process`, the client may still owe us the taking of an earlier answer.
        if !self.isProcessing { self.settle() }
    }

    /// Says no in a few words and closes. The handler is asked only for what it adds to the answer to `head`.
    func refuse(_ status: Status, _ head: RequestHead? = nil, saying words: String? = nil) {
        var fields = head.map { self.table.parts.handler.fields(ofRefusalOf: $0) } ?? [:]
        fields[.contentType] = "text/plain; charset=utf-8"
        self.intake = nil
        self.phase = .finishing
        self.needsLingering = true
        self.asked = Asked()
        let text = Array("\(status.rawValue) \(words ?? status.reason)\n".utf8)
        self.write(Response(status, fields: fields, body: text), keepsAlive: false)
    }

    /// For what was asked.
    func writer(keepsAlive: Bool) -> MessageWriter {
        MessageWriter(
            to: self.asked.method, version: self.asked.version, keepsAlive: keepsAlive, date: self.table.date.now())
    }

    private func write(_ response: Response, keepsAlive: Bool) {
        let writer = self.writer(keepsAlive: keepsAlive)
        do throws(MessageWriter.Failure) {
            try self.put { bytes throws(MessageWriter.Failure) in try writer.write(response, into: &bytes) }
            self.table.parts.observer.responseSent(response.status)
        } catch {
            // A handler's mistake, which must not reach the client in half. Ours are written without fail.
            self.table.parts.observer.responseFailed(error)
            self.refuse(.internalServerError)
        }
    }
}
