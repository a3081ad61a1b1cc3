import HTTPWire

/// Decides what a connection does next. Events go in, `next` returns actions, and `Connection` executes them.
///
///     idle ─▶ head ─▶ body ─▶ answering ─▶ idle ─▶ …
///       └──────┴───────┴──────────┴─▶ finishing ─▶ lingering ─▶ delivering ─▶ closed
///
/// It is a value without socket, clock or callback. After every event the caller asks for actions until there are none.
/// The watched events and the running deadline follow from the state (`interest`, `wait`), so neither can be forgotten.
///
/// The caller keeps the unsent bytes and passes their number with each call.
struct ConnectionState {
    enum Phase {
        /// Between two requests: no byte of the next one has come.
        case idle
        case head
        case body
        /// The handler has the request.
        case answering(ActiveRequest)
        /// We are about to refuse and then close.
        indirect case refusing(ServerRefusal)
        /// The last response is written, but the network has not taken all of it.
        case finishing(Finish)
        /// We have sent everything. We drop input, up to a limit. Closing at once could destroy the last response on
        /// its way to the client (RFC 9112 §9.6).
        case lingering(dropped: Int)
        /// The client is slow: the system still has bytes for it.
        case delivering
        case closing(abandons: Bool)
        case closed
    }

    /// What the connection must remember about the request that the handler has.
    struct ActiveRequest {
        /// The response has no body. No other method changes how a response is sent.
        var isHead = false
        var version = Version.http11
        var keepsAlive = true
        /// The response has begun and comes in parts.
        var isStreaming = false
        /// The handler wants to know when the client leaves. It then has its own deadline.
        var isWatched = false
        /// It waits for a change, and can be answered at any time.
        var isHeld = false
        /// It was asked to end early.
        var givesWay = false
        /// Set for a browser, whose user gets a page if the handler fails.
        var browser: BrowserRequest?
    }

    /// A class, because few requests have one and each connection has room for it.
    final class BrowserRequest: Sendable {
        let head: RequestHead

        /// Returns nil for a request that does not accept pages, as those of apps.
        init?(_ head: RequestHead) {
            guard MediaRange.isMentioned("text/html", in: head.fields.all(.accept)) else { return nil }
            self.head = head
        }
    }

    struct Finish {
        /// The client may be sending bytes that we do not read.
        var lingers: Bool
        /// TLS has sent close_notify.
        var isSaid = false
    }

    enum Action {
        case handle(Request)
        case refuse(ServerRefusal)
        /// Tell the client to send the body.
        case writeContinue
        /// Let TLS send close_notify.
        case sayEnd
        /// Offer the unsent bytes to the network, and report what it took with `sent`.
        case send
        /// The same, together with the responses of other connections.
        case sendSoon
        /// Call `resume` after other connections have had their turn.
        case yield
        /// Call `lookAgain` after this many milliseconds.
        case look(after: Int64)
        case finishWriting
        case close(abandons: Bool)
    }

    enum Sent {
        case all
        /// The network takes no more now.
        case some
        case broken
    }

    private enum Input {
        case open
        /// The client sends nothing more, but some of its last bytes may still be unread.
        case endsLater
        case ended
    }

    private enum Sending {
        case none
        case soon
        /// The network is full. The loop reports when it takes more.
        case blocked
        case unblocked
    }

    /// Requests per turn, so that a long pipeline gives other connections their turn.
    private static let requestsPerTurn: UInt8 = 128
    /// Bytes of responses that are collected before they are sent. Above this we handle no further request.
    private static let sendThreshold = 64 * 1024
    /// Bytes that we read and drop from a client that does not stop sending.
    private static let lingerLimit = 1024 * 1024
    /// Milliseconds between two looks at what the client has acknowledged, which the system does not report.
    private static let pauses: ClosedRange<Int64> = 50...1000

    var phase = Phase.idle
    /// Nil while no request is being read, as on most connections most of the time.
    private(set) var assembler: RequestAssembler?
    /// Counts the requests, to tell each from the next on the same connection.
    private(set) var sequence: UInt32 = 0
    private var input = Input.open
    private var sending = Sending.none
    /// The requests that are left in this turn.
    private var remainingRequests = Self.requestsPerTurn
    /// Other connections have their turn. `resume` ends it.
    private(set) var isYielding = false
    /// The pause before the next look at what the client has acknowledged.
    private var pause = Int16(Self.pauses.lowerBound)
    private var isPausing = false
}

// MARK: - Actions

extension ConnectionState {
    /// Returns the next action, or nil when the connection waits for an event. `unsent` bytes wait for the network;
    /// `undelivered` bytes are with the system and the client has not acknowledged them.
    mutating func next(unsent: Int, undelivered: () -> Int) -> Action? {
        // A connection that closes sends nothing more: its socket may refuse the bytes again and again.
        if self.sending == .unblocked, unsent > 0, !self.isClosing { return .send }
        switch self.phase {
        case .idle, .head, .body: if let action = self.readOn(unsent, undelivered) { return action }
        case .answering: break
        case .refusing(let refusal):
            self.phase = .finishing(Finish(lingers: true))
            return .refuse(refusal)
        case .finishing(let finish): if let action = self.finish(finish, unsent, undelivered) { return action }
        case .lingering, .delivering:
            guard self.input == .ended else { return nil }
            return undelivered() == 0 ? self.close(abandons: false) : self.look()
        case .closing(let abandons): return self.close(abandons: abandons)
        case .closed: return nil
        }
        return self.sending(unsent)
    }

    /// Handles the received bytes, unless the client does not take its responses.
    private mutating func readOn(_ unsent: Int, _ undelivered: () -> Int) -> Action? {
        guard unsent <= Self.sendThreshold else { return self.sending == .blocked ? nil : .send }
        guard self.remainingRequests > 0 || self.unread == 0 else { return self.yield() }
        if let action = self.step() { return action }
        self.remainingRequests = Self.requestsPerTurn
        guard self.input == .ended else { return nil }
        // The client will not send the rest of a request.
        self.phase = .finishing(Finish(lingers: false))
        return self.next(unsent: unsent, undelivered: undelivered)
    }

    private mutating func yield() -> Action? {
        guard !self.isYielding else { return nil }
        self.isYielding = true
        return .yield
    }

    private mutating func look() -> Action? {
        guard !self.isPausing else { return nil }
        self.isPausing = true
        defer { self.pause = min(2 * self.pause, Int16(Self.pauses.upperBound)) }
        return .look(after: Int64(self.pause))
    }

    private mutating func finish(_ finish: Finish, _ unsent: Int, _ undelivered: () -> Int) -> Action? {
        // A client that has half-closed need not acknowledge our end.
        if self.input == .ended, unsent == 0, undelivered() == 0 { return self.close(abandons: false) }
        guard finish.isSaid else {
            self.phase = .finishing(Finish(lingers: finish.lingers, isSaid: true))
            return .sayEnd
        }
        guard unsent == 0 else { return nil }
        guard (finish.lingers && self.input != .ended) || undelivered() > 0 else { return self.close(abandons: false) }
        self.assembler = nil
        self.phase = .lingering(dropped: 0)
        return .finishWriting
    }

    private mutating func close(abandons: Bool) -> Action {
        self.phase = .closed
        self.assembler = nil
        return .close(abandons: abandons)
    }

    private mutating func sending(_ unsent: Int) -> Action? {
        guard unsent > 0, self.sending == .none else { return nil }
        // The parts of a response count against what the network takes, so each is sent alone.
        guard !self.isStreaming else { return .send }
        self.sending = .soon
        return .sendSoon
    }
}

// MARK: - What the client sends

extension ConnectionState {
    mutating func receive(_ bytes: UnsafeRawBufferPointer, lending assembler: () -> RequestAssembler) {
        switch self.phase {
        case .idle, .head, .body, .answering:
            let assembler = self.assembler ?? assembler()
            self.assembler = assembler
            assembler.parser.feed(bytes)
        case .lingering(let droppedBefore):
            let droppedCount = droppedBefore + bytes.count
            self.phase = droppedCount > Self.lingerLimit ? .closing(abandons: false) : .lingering(dropped: droppedCount)
        case .refusing, .finishing, .delivering, .closing, .closed: break
        }
    }

    /// The client sends nothing more, and we have received all it sent.
    mutating func receiveEnd() {
        self.input = .ended
        self.noteLeaving()
    }

    /// The client sends nothing more. Some of its last bytes may still be unread.
    mutating func noteEnd() {
        if self.input == .open { self.input = .endsLater }
        self.noteLeaving()
    }

    /// Closes if the handler wants to know when the client leaves. Otherwise a client that has closed only its sending
    /// side gets its response.
    private mutating func noteLeaving() {
        if case .answering(let request) = self.phase, request.isWatched { self.phase = .closing(abandons: false) }
    }

    /// Returns nil when the received bytes end within a request or between two.
    private mutating func step() -> Action? {
        guard let assembler = self.assembler, assembler.parser.unread > 0 else { return nil }
        do throws(ParseError) {
            while true {
                switch try assembler.parser.next() {
                case .needsBytes: return self.needBytes(assembler)
                case .head(let head):
                    let expectation = head.expectation
                    guard expectation != .unknown else {
                        return self.refuse(ServerRefusal(.unknownExpectation, head: head))
                    }
                    assembler.begin(head, expecting: expectation)
                    self.phase = .body
                case .body(let part): assembler.append(part)
                case .end: if let request = assembler.takeRequest() { return self.begin(request) }
                }
            }
        } catch {
            let head = assembler.parser.refused ?? assembler.head
            return self.refuse(ServerRefusal(.malformed(error), head: head))
        }
    }

    private mutating func begin(_ request: Request) -> Action {
        self.sequence &+= 1
        self.remainingRequests -= 1
        self.phase = .answering(
            ActiveRequest(
                isHead: request.method == .head, version: request.version, keepsAlive: request.head.keepsAlive,
                browser: BrowserRequest(request.head)))
        return .handle(request)
    }

    private mutating func needBytes(_ assembler: RequestAssembler) -> Action? {
        switch self.phase {
        case .idle: if !assembler.isUnused { self.phase = .head }
        case .body: if assembler.takeContinue() { return .writeContinue }
        case .head, .answering, .refusing, .finishing, .lingering, .delivering, .closing, .closed: break
        }
        return nil
    }

    private mutating func refuse(_ refusal: ServerRefusal) -> Action {
        self.assembler = nil
        self.phase = .finishing(Finish(lingers: true))
        return .refuse(refusal)
    }

    /// Returns the request assembler if it is unused, so that another connection can have it.
    mutating func takeUnusedAssembler() -> RequestAssembler? {
        guard let assembler, assembler.isUnused else { return nil }
        self.assembler = nil
        return assembler
    }
}

// MARK: - What the connection asks

extension ConnectionState {
    var isIdle: Bool { if case .idle = self.phase { true } else { false } }

    /// How the connection can give way to others; nil if it must not: a request is being handled or uploaded, or bytes
    /// wait for the client.
    func displacement(unsent: Int) -> Displacement? {
        guard unsent == 0, !self.isSendingSoon else { return nil }
        switch self.phase {
        case .idle: return self.sequence == 0 ? .silent : .idle
        case .head: return .silent
        case .answering(let request): return request.isHeld && !request.givesWay ? .poll : nil
        case .body, .refusing, .finishing, .lingering, .delivering, .closing, .closed: return nil
        }
    }

    /// The connection closes soon, without anything that others must do.
    var isLeaving: Bool {
        switch self.phase {
        case .answering(let request): request.givesWay
        case .refusing, .finishing, .lingering, .delivering, .closing, .closed: true
        case .idle, .head, .body: false
        }
    }

    /// The head of the browser's request that the handler has.
    var browserHead: RequestHead? {
        if case .answering(let request) = self.phase { request.browser?.head } else { nil }
    }

    var isClosed: Bool { if case .closed = self.phase { true } else { false } }

    var isClosing: Bool {
        switch self.phase {
        case .closing, .closed: true
        case .idle, .head, .body, .answering, .refusing, .finishing, .lingering, .delivering: false
        }
    }

    /// False when input is only dropped.
    var isReading: Bool {
        switch self.phase {
        case .idle, .head, .body, .answering: self.input != .ended
        case .refusing, .finishing, .lingering, .delivering, .closing, .closed: false
        }
    }

    var isStreaming: Bool { if case .answering(let request) = self.phase { request.isStreaming } else { false } }

    /// The unsent bytes go out with those of other connections. The connection continues after that.
    var isSendingSoon: Bool { self.sending == .soon }

    var hasReceivedEnd: Bool { self.input == .ended }

    var inputHasEnded: Bool { self.input != .open }

    /// The number of received bytes that are not parsed yet.
    var unread: Int { self.assembler?.parser.unread ?? 0 }

    /// The network takes bytes again.
    mutating func unblock() { if self.sending == .blocked { self.sending = .unblocked } }

    mutating func noteSending(isBlocked: Bool) { self.sending = isBlocked ? .blocked : .none }

    /// Other connections have had their turn.
    mutating func resume() {
        self.remainingRequests = Self.requestsPerTurn
        self.isYielding = false
    }

    /// The pause after a look is over.
    mutating func lookAgain() { self.isPausing = false }

    mutating func dropAssembler() { self.assembler = nil }
}
