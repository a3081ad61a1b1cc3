// The events that come from the handler, and those that end a connection.

import HTTPWire

extension ConnectionState {
    enum Part {
        /// Write the part, as a response to this request.
        case write(ActiveRequest)
        /// The client does not take its response, and gets no more of our memory.
        case tooMuch
        /// The response has ended, or the connection has.
        case late
    }

    /// The handler responds. Returns the request; nil if it is too late or if a response has begun.
    mutating func answer(_ response: Response, to sequence: UInt32, keepsAlive: Bool) -> ActiveRequest? {
        guard var request = self.activeRequest(sequence), !request.isStreaming else { return nil }
        request.keepsAlive = keepsAlive && request.keepsAlive(after: response)
        self.endAnswer(request.keepsAlive)
        return request
    }

    /// The handler begins a response in parts. Nil as for `answer`. A response to HEAD ends with its head.
    mutating func begin(_ response: Response, to sequence: UInt32, keepsAlive: Bool) -> ActiveRequest? {
        guard var request = self.activeRequest(sequence), !request.isStreaming else { return nil }
        // Only the end of the connection tells HTTP/1.0 that a response is complete (RFC 9112 §6.3).
        request.keepsAlive = request.version == .http11 && keepsAlive && request.keepsAlive(after: response)
        request.isStreaming = true
        self.phase = .answering(request)
        if request.isHead { self.endAnswer(request.keepsAlive) }
        return request
    }

    /// Sends a part of `count` bytes, while `unsent` bytes before it wait. At most `limit` bytes may wait.
    mutating func send(_ count: Int, of sequence: UInt32, unsent: Int, limit: Int) -> Part {
        guard let request = self.activeRequest(sequence), request.isStreaming else { return .late }
        guard unsent + count <= limit else {
            self.phase = .closing(abandons: true)
            return .tooMuch
        }
        return .write(request)
    }

    /// Ends a response in parts. `keepsAlive` is false once the server stops.
    mutating func end(_ sequence: UInt32, keepsAlive: Bool) -> ActiveRequest? {
        guard let request = self.activeRequest(sequence), request.isStreaming else { return nil }
        self.endAnswer(request.keepsAlive && keepsAlive)
        return request
    }

    /// The handler wants to know when the client leaves, and for a held request also when it should respond early.
    /// Returns false if it is too late for that.
    mutating func watch(_ sequence: UInt32, isHeld: Bool) -> Bool {
        guard var request = self.activeRequest(sequence) else { return false }
        request.isWatched = true
        if isHeld { request.isHeld = true }
        self.phase = self.inputHasEnded ? .closing(abandons: false) : .answering(request)
        return true
    }

    /// Sends a refusal and closes, because the handler's response failed or did not come in time.
    mutating func refuse(with refusal: ServerRefusal) {
        guard !self.isClosing else { return }
        self.dropAssembler()
        self.phase = .refusing(refusal)
    }

    /// Sends the bytes that wait, and then closes.
    mutating func finish(lingers: Bool) {
        guard !self.isClosing else { return }
        self.dropAssembler()
        self.phase = .finishing(Finish(lingers: lingers, isSaid: true))
    }

    mutating func close() {
        guard !self.isClosing else { return }
        self.phase = .closing(abandons: false)
    }

    /// The held request will get its response early, and the connection ends with it.
    mutating func giveWay() {
        guard case .answering(var request) = self.phase, request.isHeld else { return }
        request.givesWay = true
        request.keepsAlive = false
        self.phase = .answering(request)
    }

    private func activeRequest(_ sequence: UInt32) -> ActiveRequest? {
        guard case .answering(let request) = self.phase, sequence == self.sequence else { return nil }
        return request
    }

    private mutating func endAnswer(_ keepsAlive: Bool) {
        // Closing while bytes after the last request are unread would send the client a reset.
        self.phase = keepsAlive ? .idle : .finishing(Finish(lingers: (self.assembler?.parser.unread ?? 0) > 0))
    }
}

extension ConnectionState.ActiveRequest {
    fileprivate func keepsAlive(after response: Response) -> Bool {
        self.keepsAlive && response.fields[.connection]?.lowercased() != "close"
    }
}
