// From a whole request to its response, at once or in parts.

import EventLoop
import HTTPWire

extension Connection {
    func handle(_ request: Request) {
        self.table.parts.observer.requestReceived()
        let sequence = self.state.sequence
        switch request.target.form {
        case .origin, .absolute:
            self.table.parts.handler.handle(request, self.presentHandle)
        // `OPTIONS *` asks about the server and not about a resource; there is nothing to say (RFC 9110 §9.3.7).
        case .asterisk: self.answer(Response(.noContent), to: sequence)
        // We are not a proxy (RFC 9110 §9.3.6).
        case .authority: self.state.refuse(with: ServerRefusal(.noProxy, head: request.head))
        }
    }

    /// Of the request that the handler got last.
    private var presentHandle: ResponseHandle {
        ResponseHandle(request: RequestID(connection: self.id, sequence: self.state.sequence), table: self.table)
    }

    /// Tells the recorder that no response follows.
    func cutOff() {
        guard let exchanges = self.table.parts.exchanges, self.state.sequence > 0 else { return }
        exchanges.cutOff(self.presentHandle.key)
    }

    func perform(_ step: ResponseStep, for sequence: UInt32) {
        switch step {
        case .answer(let response): self.answer(response, to: sequence)
        case .begin(let response): self.begin(response, to: sequence)
        case .send(let part): self.send(part, of: sequence)
        case .end: self.end(sequence)
        case .watch(let action): self.onGone({ if $0 == .clientLeft { action() } }, from: sequence, isHeld: false)
        case .hold(let action): self.onGone(action, from: sequence, isHeld: true)
        }
    }

    private func answer(_ response: Response, to sequence: UInt32) {
        guard let request = self.state.answer(response, to: sequence, keepsAlive: self.table.keepsAlive) else { return }
        self.goneAction = nil
        self.write(response.packed(by: self.table.gzip), to: request)
        self.run()
    }

    private func onGone(_ action: @escaping @Sendable (HoldEnd) -> Void, from sequence: UInt32, isHeld: Bool) {
        guard self.state.watch(sequence, isHeld: isHeld) else { return }
        if let earlier = self.goneAction {
            self.goneAction = {
                earlier($0)
                action($0)
            }
        } else {
            self.goneAction = action
        }
        self.stopTimer()
        self.run()
    }

    /// Sends a refusal with the body that the handler gives.
    func refuse(_ refusal: ServerRefusal) {
        self.goneAction = nil
        if case .malformed(let error) = refusal.cause { self.table.parts.observer.requestRefused(error) }
        var response = self.table.parts.handler.response(to: refusal)
        response.status = refusal.status
        if let exchanges = self.table.parts.exchanges { response = exchanges.end(self.presentHandle.key, response) }
        let writer = self.writer(to: ConnectionState.ActiveRequest(keepsAlive: false))
        do throws(WriteError) {
            try self.put { bytes throws(WriteError) in try writer.write(response, into: &bytes) }
            self.table.parts.observer.responseSent(refusal.status)
        } catch {
            self.table.parts.observer.responseFailed(error)
            self.write(refusal.plainResponse, to: ConnectionState.ActiveRequest(keepsAlive: false))
        }
    }

    private func write(_ response: Response, to request: ConnectionState.ActiveRequest) {
        let writer = self.writer(to: request)
        self.put(response.status, to: request.browser) { bytes throws(WriteError) in
            try writer.write(response, into: &bytes)
        }
    }

    private func put(
        _ status: Status, to browser: ConnectionState.BrowserRequest?,
        _ write: (inout [UInt8]) throws(WriteError) -> Void
    ) {
        do throws(WriteError) {
            try self.put(write)
            self.table.parts.observer.responseSent(status)
        } catch {
            // This is a handler's mistake; the client must not see half of it. Our own responses never fail.
            self.table.parts.observer.responseFailed(error)
            self.state.refuse(with: ServerRefusal(.handlerFailed, head: browser?.head))
        }
    }

    private func writer(to request: ConnectionState.ActiveRequest) -> MessageWriter {
        MessageWriter(
            to: request.isHead ? .head : .get, version: request.version, keepsAlive: request.keepsAlive,
            date: self.table.date.now())
    }
}

// MARK: - Responses in parts, whose length is unknown at the beginning

extension Connection {
    /// Ignores the body of `response`: it comes in parts.
    private func begin(_ response: Response, to sequence: UInt32) {
        guard let request = self.state.begin(response, to: sequence, keepsAlive: self.table.keepsAlive) else { return }
        if request.isHead { self.goneAction = nil }
        let writer = self.writer(to: request)
        self.put(response.status, to: request.browser) { bytes throws(WriteError) in
            try writer.writeHead(of: response, into: &bytes)
        }
        self.run()
    }

    private func send(_ part: [UInt8], of sequence: UInt32) {
        let limit = self.table.parts.limits.unsent
        switch self.state.send(part.count, of: sequence, unsent: self.output.count, limit: limit) {
        case .write(let request):
            let writer = self.writer(to: request)
            self.put { writer.writePart(part, into: &$0) }
        case .tooMuch: self.table.parts.observer.timedOut(.write)
        case .late: return
        }
        self.run()
    }

    private func end(_ sequence: UInt32) {
        guard let request = self.state.end(sequence, keepsAlive: !self.table.isDraining) else { return }
        self.goneAction = nil
        let writer = self.writer(to: request)
        self.put { writer.writeEnd(into: &$0) }
        self.run()
    }
}
