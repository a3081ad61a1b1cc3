// The events that come from the handler, and from whoever else ends a connection.

import HTTPWire

extension ConnectionState {
    enum Part {
        /// Write it, as an answer to this.
        case write(Asked)
        /// The client does not take what it asked for, and gets no more of our memory.
        case tooMuch
        /// The answer has ended, or the connection has.
        case late
    }

    /// The handler answers. Returns what is answered; nil if it is too late, or answered already.
    mutating func answer(_ response: Response, to sequence: UInt32, keepsAlive: Bool) -> Asked? {
        guard var asked = self.asked(sequence), !asked.isStreaming else { return nil }
        asked.keepsAlive = keepsAlive && asked.keepsAlive(after: response)
        self.endAnswer(asked.keepsAlive)
        return asked
    }

    /// The handler begins an answer in parts. Nil as for `answer`. An answer to HEAD ends with its head.
    mutating func begin(_ response: Response, to sequence: UInt32, keepsAlive: Bool) -> Asked? {
        guard var asked = self.asked(sequence), !asked.isStreaming else { return nil }
        // Only the end of the connection tells HTTP/1.0 that an answer is whole (RFC 9112 §6.3).
        asked.keepsAlive = asked.version == .http11 && keepsAlive && asked.keepsAlive(after: response)
        asked.isStreaming = true
        self.phase = .answering(asked)
        if asked.method == .head { self.endAnswer(asked.keepsAlive) }
        return asked
    }

    /// A part of `count` bytes, while `unsent` bytes of those before it wait. At most `limit` may.
    mutating func send(_ count: Int, of sequence: UInt32, unsent: Int, limit: Int) -> Part {
        guard let asked = self.asked(sequence), asked.isStreaming else { return .late }
        guard unsent + count <= limit else {
            self.phase = .closing(abandons: true)
            return .tooMuch
        }
        return .write(asked)
    }

    /// The end of an answer in parts. `keepsAlive` is false once the server stops.
    mutating func end(_ sequence: UInt32, keepsAlive: Bool) -> Asked? {
        guard let asked = self.asked(sequence), asked.isStreaming else { return nil }
        self.endAnswer(asked.keepsAlive && keepsAlive)
        return asked
    }

    /// The handler wants to know when the client leaves. False when it is too late for that.
    mutating func watch(_ sequence: UInt32) -> Bool {
        guard var asked = self.asked(sequence) else { return false }
        asked.isWatched = true
        self.phase = self.inputHasEnded ? .closing(abandons: false) : .answering(asked)
        return true
    }

    /// The answer cannot be given, or nobody waits for it any longer: say no, and close.
    mutating func refuse(with refusal: ServerRefusal) {
        guard !self.isClosing else { return }
        self.dropIntake()
        self.phase = .refusing(refusal)
    }

    /// Nothing more is said than what waits to be sent.
    mutating func finish(lingers: Bool) {
        guard !self.isClosing else { return }
        self.dropIntake()
        self.phase = .finishing(Finish(lingers: lingers, isSaid: true))
    }

    mutating func close() {
        guard !self.isClosing else { return }
        self.phase = .closing(abandons: false)
    }

    private func asked(_ sequence: UInt32) -> Asked? {
        guard case .answering(let asked) = self.phase, sequence == self.sequence else { return nil }
        return asked
    }

    private mutating func endAnswer(_ keepsAlive: Bool) {
        // Closing over what was sent behind the last request would be a reset.
        self.phase = keepsAlive ? .idle : .finishing(Finish(lingers: (self.intake?.parser.unread ?? 0) > 0))
    }
}

extension ConnectionState.Asked {
    fileprivate func keepsAlive(after response: Response) -> Bool {
        self.keepsAlive && response.fields[.connection]?.lowercased() != "close"
    }
}
