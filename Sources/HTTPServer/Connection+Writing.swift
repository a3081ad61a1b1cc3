// What goes to the client, and what the connection waits for.

import EventLoop
import HTTPWire

extension Connection {
    /// Lets `write` append what the client is to be sent. All that is sent goes through here.
    func put<Failure: Error>(_ write: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard let tls = self.tls else { return try self.output.append(borrowing: &self.table.spare, write) }
        try self.put(through: tls, write)
    }

    func flush() {
        guard !self.output.isEmpty, self.phase != .closed else { return }
        switch self.output.flush(to: self.socket, returning: &self.table.spare) {
        case .all(let count), .some(let count): self.table.parts.observer.bytesSent(count)
        case .broken: self.close()
        }
    }

    /// Brings what is watched, which deadline runs, and what memory is held in line with the state.
    func settle() {
        if self.phase == .finishing, self.output.isEmpty { self.finish() }
        guard self.phase != .closed else { return }
        self.returnIntake()
        let wanted = self.wanted
        if wanted != self.interest {
            self.interest = wanted
            self.table.loop.change(self.socket.descriptor, to: wanted)
        }
        let (wait, table) = (self.wait, self.table)
        let due = self.clock.start(
            wait, of: self.sequence,
            until: table.loop.now + table.parts.waits.limit(of: wait, sequence: self.sequence))
        if let due { self.arm(at: due) }
    }

    /// What it takes to read a request goes to whoever reads next.
    func returnIntake() {
        guard let intake, intake.isUnused else { return }
        self.table.takeBack(intake)
        self.intake = nil
    }

    /// The last answer is on its way.
    private func finish() {
        guard self.needsLingering, !self.isHalfClosed else { return self.close() }
        self.sayEnd()
        self.socket.finishWriting()
        self.phase = .lingering
    }

    private var wanted: Interest {
        // Nothing is read from whoever does not take what he has asked for.
        guard self.output.isEmpty else { return .write }
        switch self.phase {
        case .idle, .head, .body, .lingering: return .read
        case .answering:
            // The end is known already, and would be told again and again.
            if self.isHalfClosed { return [] }
            return (self.intake?.parser.unread ?? 0) < self.table.parts.limits.pipelined ? .read : .hangup
        case .finishing, .closed: return []
        }
    }

    private var wait: ConnectionWait? {
        guard self.output.isEmpty else { return .write }
        switch self.phase {
        case .idle:
            if self.tls?.isHandshaking == true { return .handshake }
            // A client that has only just connected may have its request on its way.
            return self.table.isDraining ? .linger : .request
        case .head: return .head
        case .body: return .body
        case .answering: return self.asked.isStreaming || self.asked.goneAction != nil ? nil : .handler
        case .lingering: return .linger
        case .finishing, .closed: return nil
        }
    }

    private func arm(at due: Int64) {
        let loop = self.table.loop
        if let entry = self.clock.entry { loop.cancel(entry) }
        self.clock.entry = loop.schedule(after: .milliseconds(due - loop.now)) { self.ring() }
    }

    private func ring() {
        switch self.clock.takeRing(at: self.table.loop.now) {
        case .nothing: break
        case .again(let due): self.arm(at: due)
        case .over(let wait): self.giveUp(wait)
        }
    }

    func giveUp(_ wait: ConnectionWait) {
        self.table.parts.observer.timedOut(wait)
        switch wait {
        case .head, .body:
            self.refuse(.requestTimeout)
            self.process()
        case .handler:
            self.refuse(.serviceUnavailable)
            self.process()
        case .write:
            // Otherwise the system would keep what is unsent, and go on trying, for minutes.
            self.socket.abandon()
            self.close()
        case .handshake, .request, .linger: self.close()
        }
    }
}
