// What a connection waits for, and the events that end the wait.

import EventLoop

extension ConnectionState {
    /// Which events to watch; nil means none, not even whether the connection broke. Not called while `isSendingSoon`.
    func interest(unsent: Int, limits: ServerLimits) -> Interest? {
        // We read nothing from a client that does not take its responses.
        guard unsent == 0 else { return .write }
        switch self.phase {
        // All bytes read are used up, unless other connections have their turn now.
        case .idle, .head, .body: return self.isYielding ? [] : .read
        case .answering:
            guard !self.hasReceivedEnd else { return [] }
            if self.unread < limits.pipelined { return .read }
            // The loop would report a known end again and again.
            return self.inputHasEnded ? [] : .hangup
        // The system reports a connection that both sides have closed as broken, though it may still contain bytes.
        case .lingering, .delivering: return self.hasReceivedEnd ? nil : .read
        case .refusing, .finishing, .closing, .closed: return []
        }
    }

    func wait(unsent: Int, isDraining: Bool) -> TimeoutKind? {
        guard unsent == 0 else { return .write }
        switch self.phase {
        // A client that has just connected may have sent its request already.
        case .idle: return isDraining ? .linger : .request
        case .head: return .head
        case .body: return .body
        case .answering(let request): return request.isStreaming || request.isWatched ? nil : .handler
        case .lingering: return .linger
        case .delivering: return .write
        case .refusing, .finishing, .closing, .closed: return nil
        }
    }

    /// Called when a deadline has passed.
    mutating func timeOut(_ wait: TimeoutKind, undelivered: Int) {
        guard !self.isClosing else { return }
        switch wait {
        case .head, .body: self.refuse(with: ServerRefusal(.requestTimedOut, head: self.assembler?.head))
        case .handler: self.refuse(with: ServerRefusal(.handlerTimedOut, head: self.browserHead))
        // Otherwise the system would keep the unsent bytes for minutes and keep trying.
        case .handshake, .request: self.phase = .closing(abandons: undelivered > 0)
        case .write:
            if case .delivering = self.phase, undelivered == 0 {
                self.phase = .closing(abandons: false)
            } else {
                self.phase = .closing(abandons: true)
            }
        case .linger:
            if case .lingering = self.phase, undelivered > 0 {
                self.phase = .delivering
            } else {
                self.phase = .closing(abandons: undelivered > 0)
            }
        }
    }

    /// Called with the result of a write.
    mutating func noteSent(_ outcome: Sent) {
        switch outcome {
        case .all: self.noteSending(isBlocked: false)
        case .some: self.noteSending(isBlocked: true)
        case .broken: self.close()
        }
    }
}
