import EventLoop
import HTTPWire
import TestSupport

@testable import HTTPServer

/// Simulates a client, a handler, a network and a clock around `ConnectionState`, without a socket. Everything is
/// numbers and comes from one seed.
struct SimulatedConnection {
    enum Behaviour: CaseIterable {
        /// Reads everything sooner or later, and keeps the connection open.
        case keepsOpen
        /// Its last request has `Connection: close`.
        case asksToClose
        /// Closes its sending side once all requests are sent.
        case halfCloses
        /// Stops reading at some point.
        case stopsReading
        case resets
    }

    enum Answer {
        case whole(Int)
        case parts([Int])

        var count: Int {
            switch self {
            case .whole(let count): count
            case .parts(let parts): parts.reduce(0, +)
            }
        }
    }

    enum Event: CaseIterable {
        case clientSends, clientEnds, clientReads, clientResets
        case readable, hangup, writable, soon, turn, answer
    }

    let behaviour: Behaviour
    var dice: SplitMix64
    var limits = ServerLimits()
    let waits: TimeoutLimits
    let answers: [Answer]
    /// Whether the handler responds later instead of at once.
    let delays: [Bool]

    var state = ConnectionState()
    var clock = ConnectionTimer()
    var rings: Int64?
    /// When the server next checks what was acknowledged.
    var looks: Int64?
    var now: Int64 = 1000
    var isRunning = false
    var interest: Interest? = .read

    // The client.
    var toSend: ArraySlice<UInt8>
    var hasEnded = false
    var readsUntil = Int.max
    var received = 0
    // The network: what the server may still read, and what it has sent.
    var incoming: [UInt8] = []
    let incomingRoom: Int
    var kernel = 0
    let least: Int
    let kernelRoom: Int
    // The server.
    var unsent = 0
    var isSendingSoon = false
    var isYielding = false
    var isFinished = false
    var isClosed = false
    var isAbandoned = false
    /// The client has reset the connection, and the poller has not reported it. The next call on the socket fails.
    var isReset = false
    /// The state returned actions without end.
    var isSpinning = false
    /// The request that the handler has, and how many parts of its response are sent.
    var handled: (number: Int, sequence: UInt32, given: Int)?
    var written = 0
    /// Where each whole response ends in the written bytes.
    var ends: [Int] = []
    var lastProgress: Int64 = 1000

    init(_ behaviour: Behaviour, seed: UInt64) {
        var dice = SplitMix64(seed: seed)
        let count = Int.random(in: 1...Self.one(of: [3, 20, 150], &dice), using: &dice)
        self.behaviour = behaviour
        self.limits.pipelined = Self.one(of: [64 * 1024, 2000], &dice)
        self.waits = TimeoutLimits(self.limits)
        self.answers = (0..<count).map { _ in Self.answer(&dice) }
        let delay = Double.random(in: 0...1, using: &dice)
        self.delays = (0..<count).map { _ in Double.random(in: 0...1, using: &dice) < delay }
        self.toSend = Self.requests(count, behaviour, &dice)[...]
        self.incomingRoom = Int.random(in: 1...200_000, using: &dice)
        // Large enough that a run does not take a thousand events more than another.
        self.least = self.answers.reduce(0) { $0 + $1.count } / 300
        self.kernelRoom =
            self.least + .random(in: 1...Self.one(of: [100, 10_000, 1_000_000], &dice), using: &dice)
        if behaviour == .stopsReading { self.readsUntil = Int.random(in: 0...200_000, using: &dice) }
        self.dice = dice
        self.settle()
    }

    var requests: Int { self.answers.count }
    var isWholeReceived: Bool { self.ends.count == self.requests && self.received == self.written }

    static func one(of numbers: [Int], _ dice: inout SplitMix64) -> Int { numbers.randomElement(using: &dice) ?? 1 }

    private static func answer(_ dice: inout SplitMix64) -> Answer {
        switch Int.random(in: 0..<20, using: &dice) {
        case 0: .whole(Int.random(in: 60_000...200_000, using: &dice))
        case 1: .parts((0..<Int.random(in: 0...5, using: &dice)).map { _ in Int.random(in: 1...5000, using: &dice) })
        default: .whole(Int.random(in: 20...4000, using: &dice))
        }
    }

    private static func requests(_ count: Int, _ behaviour: Behaviour, _ dice: inout SplitMix64) -> [UInt8] {
        var text = ""
        for number in 0..<count {
            let closes = behaviour == .asksToClose && number == count - 1 ? "Connection: close\r\n" : ""
            if Bool.random(using: &dice) {
                text += "GET /\(number) HTTP/1.1\r\nHost: a\r\n\(closes)\r\n"
            } else {
                let body = String(repeating: "x", count: Int.random(in: 0...300, using: &dice))
                text +=
                    "POST /\(number) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body.utf8.count)\r\n\(closes)\r\n\(body)"
            }
        }
        return Array(text.utf8)
    }
}

// MARK: - What `Connection` does

extension SimulatedConnection {
    mutating func run() {
        guard !self.isRunning else { return }
        self.isRunning = true
        var count = 0
        while true {
            count += 1
            guard count < 10_000 else {
                self.isSpinning = true
                break
            }
            let kernel = self.kernel
            guard let action = self.state.next(unsent: self.unsent, undelivered: { kernel }) else { break }
            self.perform(action)
        }
        self.isRunning = false
        self.settle()
    }

    private mutating func perform(_ action: ConnectionState.Action) {
        switch action {
        case .handle(let request):
            let number = Int(request.target.path.dropFirst()) ?? -1
            self.handled = (number, self.state.sequence, 0)
            if !self.delays[number] { while self.handled?.number == number { self.giveAnswer() } }
        case .refuse, .writeContinue: self.put(100)
        case .sayEnd: break
        case .send: self.flush()
        case .sendSoon: self.isSendingSoon = true
        case .yield: self.isYielding = true
        case .look(let pause): self.looks = self.now + pause
        case .finishWriting: self.isFinished = true
        case .close(let abandons):
            self.isClosed = true
            self.isAbandoned = abandons
            // The system sends a reset when unread bytes are left (RFC 9112 §9.6).
            if abandons || !self.incoming.isEmpty { self.kernel = 0 }
        }
    }

    private mutating func put(_ count: Int) {
        self.unsent += count
        self.written += count
    }

    private mutating func flush() {
        guard !self.isReset else { return self.state.noteSent(.broken) }
        let count = min(self.unsent, self.kernelRoom - self.kernel)
        self.unsent -= count
        self.kernel += count
        self.state.noteSent(self.unsent == 0 ? .all : .some)
    }

    mutating func giveAnswer() {
        guard let handled else { return }
        let response = Response(.ok, fields: [:], body: [])
        switch self.answers[handled.number] {
        case .whole(let count):
            if self.state.answer(response, to: handled.sequence, keepsAlive: true) != nil { self.put(count) }
            self.endAnswer()
        case .parts(let parts):
            if handled.given == 0 {
                if self.state.begin(response, to: handled.sequence, keepsAlive: true) != nil { self.put(50) }
            } else if handled.given <= parts.count {
                let count = parts[handled.given - 1]
                let part = self.state.send(count, of: handled.sequence, unsent: self.unsent, limit: self.limits.unsent)
                if case .write = part { self.put(count) }
            } else {
                if self.state.end(handled.sequence, keepsAlive: true) != nil { self.put(5) }
                self.endAnswer()
            }
            self.handled?.given += 1
        }
        self.run()
    }

    private mutating func endAnswer() {
        self.handled = nil
        self.ends.append(self.written)
    }

    private mutating func settle() {
        guard !self.isClosed else { return }
        _ = self.state.takeUnusedAssembler()
        guard !self.state.isSendingSoon else { return }
        self.interest = self.state.interest(unsent: self.unsent, limits: self.limits)
        let wait = self.state.wait(unsent: self.unsent, isDraining: false)
        let due = self.clock.start(
            wait, of: self.state.sequence, until: self.now + self.waits.limit(of: wait, sequence: self.state.sequence))
        if let due { self.rings = due }
    }
}

// MARK: - The events

extension SimulatedConnection {
    /// The events that can happen now, before time passes.
    var possible: [Event] {
        guard !self.isClosed, !self.isSpinning else { return [] }
        return Event.allCases.filter { event in
            switch event {
            case .clientSends: !self.isReset && !self.toSend.isEmpty && self.incoming.count < self.incomingRoom
            case .clientEnds: !self.hasEnded && self.toSend.isEmpty && self.clientEnds
            case .clientReads: self.kernel > 0 && self.received < self.readsUntil && !self.isReset
            case .clientResets: self.behaviour == .resets && !self.isReset
            case .readable:
                self.interest?.contains(.read) == true && (!self.incoming.isEmpty || self.hasEnded || self.isReset)
            case .hangup: self.interest?.contains(.hangup) == true && self.hasEnded
            case .writable:
                self.interest?.contains(.write) == true && (self.kernel < self.kernelRoom || self.isReset)
            case .soon: self.isSendingSoon
            case .turn: self.isYielding
            case .answer: self.handled != nil
            }
        }
    }

    private var clientEnds: Bool {
        switch self.behaviour {
        case .halfCloses: true
        case .keepsOpen, .asksToClose: self.isFinished && self.kernel == 0
        case .stopsReading, .resets: false
        }
    }

    mutating func happen(_ event: Event) {
        self.now += Int64.random(in: 0...2, using: &self.dice)
        let amount = Int.random(in: 1...Self.one(of: [10, 1000, 100_000], &self.dice), using: &self.dice)
        switch event {
        case .clientSends:
            let part = self.toSend.prefix(min(amount, self.incomingRoom - self.incoming.count))
            self.incoming += part
            self.toSend = self.toSend.dropFirst(part.count)
        case .clientEnds: self.hasEnded = true
        case .clientReads:
            let count = min(amount + self.least, self.kernel, self.readsUntil - self.received)
            self.kernel -= count
            self.received += count
            self.lastProgress = self.now
        case .clientResets:
            self.kernel = 0
            self.incoming = []
            self.isReset = true
            // Either the poller reports it, or the next call on the socket fails.
            guard Bool.random(using: &self.dice) else { break }
            self.state.close()
            self.run()
        case .readable: self.read()
        case .hangup:
            self.state.noteEnd()
            self.run()
        case .writable:
            self.state.unblock()
            self.run()
        case .soon:
            self.isSendingSoon = false
            self.flush()
            self.run()
        case .turn:
            self.isYielding = false
            self.state.resume()
            self.run()
        case .answer: self.giveAnswer()
        }
    }

    private mutating func read() {
        guard !self.isReset else {
            self.state.close()
            return self.run()
        }
        guard !self.incoming.isEmpty else {
            self.state.receiveEnd()
            return self.run()
        }
        let part = Array(self.incoming.prefix(64 * 1024))
        self.incoming.removeFirst(part.count)
        let limits = self.limits
        part.withUnsafeBytes { self.state.receive($0, lending: { RequestAssembler(limits: limits.request) }) }
        self.run()
    }

    /// Moves the clock to the next deadline. Returns false when there is none.
    mutating func passTime() -> Bool {
        if let looks, looks < self.rings ?? .max {
            self.now = max(self.now, looks)
            self.looks = nil
            self.state.lookAgain()
            self.run()
            return true
        }
        guard let rings = self.rings else { return false }
        self.now = max(self.now, rings)
        self.rings = nil
        switch self.clock.takeExpiry(at: self.now) {
        case .nothing: return false
        case .again(let due): self.rings = due
        case .over(let wait):
            guard wait == self.state.wait(unsent: self.unsent, isDraining: false) else { break }
            self.state.timeOut(wait, undelivered: self.kernel)
            self.run()
        }
        return true
    }
}
