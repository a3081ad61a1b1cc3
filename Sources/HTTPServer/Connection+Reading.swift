// What comes from the client.

import EventLoop
import HTTPWire

extension Connection {
    /// Events of one turn, so that a long pipeline leaves other connections their turn.
    private static let turn = 256
    /// Answers collected before they are written.
    private static let collected = 64 * 1024
    /// What is read and dropped of a client that does not stop sending.
    private static let patience = 1024 * 1024

    func ready(_ readiness: Readiness) {
        guard !readiness.contains(.broken) else { return self.close() }
        if readiness.contains(.writable) { self.process() }
        if readiness.contains(.readable) {
            self.read()
        } else if readiness.contains(.hangup) {
            self.takeEnd()
            self.settle()
        }
    }

    private func read() {
        guard self.phase != .closed else { return }
        switch self.socket.read(into: self.table.scratch) {
        case .moved(let count):
            self.table.parts.observer.bytesReceived(count)
            self.receive(UnsafeRawBufferPointer(rebasing: self.table.scratch[..<count]))
        case .notNow: break
        case .end:
            self.takeEnd()
            self.settle()
        case .broken: self.close()
        }
    }

    /// What came over the network, as it came.
    private func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let bytes = self.behindProxyHeader(bytes) else { return }
        guard let tls = self.tls else { return self.take(bytes) }
        self.receive(bytes, through: tls)
    }

    /// What the client said.
    func take(_ bytes: UnsafeRawBufferPointer) {
        switch self.phase {
        case .idle, .head, .body:
            self.keep(bytes)
            self.process()
        case .answering:
            self.keep(bytes)
            self.settle()
        case .finishing, .lingering:
            self.dropped += bytes.count
            if self.dropped > Self.patience { self.close() }
        case .closed: break
        }
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        let intake = self.intake ?? self.table.lendIntake()
        self.intake = intake
        intake.parser.feed(bytes)
    }

    /// The client sends nothing more.
    func takeEnd() {
        self.noteEndOfHandshake()
        self.isHalfClosed = true
        switch self.phase {
        case .answering: if self.asked.goneAction != nil { self.close() }
        case .finishing, .closed: break
        case .idle, .head, .body, .lingering: self.close()
        }
    }

    /// Goes as far as it can with what was read and what is to be written.
    func process() {
        guard !self.isProcessing, self.phase != .closed else { return }
        self.isProcessing = true
        var left = Self.turn
        while left > 0, self.takesRequests, self.step() { left -= 1 }
        // Whoever sends nothing more will not send the rest.
        if self.isHalfClosed, left > 0, self.takesRequests { self.phase = .finishing }
        if self.phase == .finishing { self.putEnd() }
        self.isProcessing = false
        if left == 0 { self.table.loop.execute { self.process() } }
        // The parts of an answer are counted against what the network takes, so they are sent one by one.
        guard !self.output.isEmpty, !self.asked.isStreaming, self.phase != .closed else { return self.send() }
        self.returnIntake()
        self.table.sendSoon(self)
    }

    /// What there is to be sent, now.
    func send() {
        self.flush()
        if !self.isProcessing { self.settle() }
    }

    /// False while an answer is awaited, and while the client does not take those it has asked for.
    private var takesRequests: Bool {
        switch self.phase {
        case .idle, .head, .body:
            if self.output.count > Self.collected { self.flush() }
            return self.output.count <= Self.collected
        case .answering, .finishing, .lingering, .closed: return false
        }
    }

    /// False when there is nothing more to be done with what was read.
    private func step() -> Bool {
        guard let intake = self.intake else { return false }
        do throws(ParseError) {
            switch try intake.parser.next() {
            case .needsBytes:
                self.needBytes(intake)
                return false
            case .head(let head):
                let expectation = head.expectation
                guard expectation != .unknown else {
                    self.refuse(.expectationFailed)
                    return false
                }
                intake.begin(head, expecting: expectation)
                self.phase = .body
            case .body(let part): intake.append(part)
            case .end: intake.takeRequest().map(self.handle)
            }
            return true
        } catch {
            self.table.parts.observer.requestRefused(error)
            self.refuse(error.status, intake.parser.refused ?? intake.head)
            return false
        }
    }

    /// What was read ends within a request, or between two.
    private func needBytes(_ intake: Intake) {
        switch self.phase {
        case .idle: if !intake.isUnused { self.phase = .head }
        case .body:
            guard intake.takeContinue() else { break }
            self.put { MessageWriter.writeContinue(into: &$0) }
        case .head, .answering, .finishing, .lingering, .closed: break
        }
    }
}
