// Answers that come in parts, because nobody knows their end when they begin.

import HTTPWire

extension Connection {
    /// The body of `response` is left out: it comes in parts. To HEAD the head is all.
    func begin(_ response: Response, to sequence: UInt32) {
        guard self.phase == .answering, !self.asked.isStreaming, sequence == self.sequence else { return }
        // Nothing but its end tells HTTP/1.0 that an answer is whole (RFC 9112 §6.3).
        self.asked.keepsAlive = self.asked.version == .http11 && self.keepsAlive(after: response)
        self.asked.isStreaming = true
        do throws(MessageWriter.Failure) {
            let writer = self.writer
            try self.put { bytes throws(MessageWriter.Failure) in try writer.writeHead(of: response, into: &bytes) }
            self.table.parts.observer.responseSent(response.status)
            if self.asked.method == .head { return self.conclude() }
        } catch {
            self.table.parts.observer.responseFailed(error)
            self.refuse(.internalServerError)
        }
        self.process()
    }

    func send(_ part: [UInt8], of sequence: UInt32) {
        guard self.isStreaming(sequence) else { return }
        // Whoever does not take what he has asked for gets no more of our memory.
        guard self.output.count + part.count <= self.table.parts.limits.unsent else { return self.giveUp(.write) }
        let writer = self.writer
        self.put { writer.writePart(part, into: &$0) }
        self.process()
    }

    func end(_ sequence: UInt32) {
        guard self.isStreaming(sequence) else { return }
        let writer = self.writer
        self.put { writer.writeEnd(into: &$0) }
        self.conclude()
    }

    private func isStreaming(_ sequence: UInt32) -> Bool {
        self.phase == .answering && self.asked.isStreaming && sequence == self.sequence
    }

    /// We may have begun to stop since the head was written.
    private func conclude() {
        self.phase = self.asked.keepsAlive && !self.table.isDraining ? .idle : .finishing
        self.goOn()
    }

    private var writer: MessageWriter { self.writer(keepsAlive: self.asked.keepsAlive) }
}
