import Foundation

@testable import SwitchbackClient

/// A session's reducer with its surroundings: the time, a key, the running request, and what callers were told.
struct SessionBench {
    var reducer: SessionReducer
    var now = MonotonicInstant(seconds: 1000)
    var date = Date(timeIntervalSince1970: 1_800_000_000)
    /// The key; nil when it is gone.
    var key: TestKey? = TestKey(1)
    var keyError: SessionKeyError?
    var storeFails = false
    /// The request that is neither answered nor abandoned.
    var underWay: (number: Int, request: HTTPRequest)?
    var wake: MonotonicInstant?
    var told: [SessionState] = []
    var stored: [SavedSession] = []
    var removedKeys: [String] = []
    var replies: [SessionCaller: [SessionReducer.Reply]] = [:]
    /// Every request that was sent.
    var sent: [HTTPRequest] = []
    var caller = 0
    private var proofs = 0

    static let secret = PollSecret { 7 }

    init(_ record: SavedSession = SavedSession()) {
        self.reducer = SessionReducer(record, server: Example.server, app: "demo")
        self.say(.started)
    }

    /// Reports an event, and performs the effects that need no server.
    mutating func say(_ event: SessionReducer.Event, jitter: Double = 0) {
        var events = [event]
        while !events.isEmpty {
            let next = events.removeFirst()
            self.proofs += 1
            let moment = SessionReducer.Moment(
                instant: self.now, date: self.date, proofID: "p\(self.proofs)", jitter: jitter)
            if case .timerFired = next { self.wake = nil }
            for effect in self.reducer.handle(next, at: moment) { events += [self.perform(effect)].compactMap(\.self) }
        }
    }

    /// Returns what the effect results in at once.
    private mutating func perform(_ effect: SessionReducer.Effect) -> SessionReducer.Event? {
        switch effect {
        case .storeFirst(let number, let record):
            if !self.storeFails { self.stored.append(record) }
            return self.storeFails ? .storeFailed(number) : .stored(number)
        case .store(let record): if !self.storeFails { self.stored.append(record) }
        case .findKey(let number, _, let mayMake):
            if let keyError { return .keyFailed(number, keyError) }
            if self.key == nil, mayMake { self.key = TestKey(UInt8(2 + self.removedKeys.count)) }
            return self.key.map { .keyFound(number, $0.publicKey) } ?? .keyFailed(number, .gone)
        case .removeKeys(let name):
            self.removedKeys.append(name)
            self.key = nil
        case .sign(let number, _, let text):
            if let keyError { return .keyFailed(number, keyError) }
            guard let key else { return .keyFailed(number, .gone) }
            return .signed(number, Data(TestKey.signature(of: Array(text.utf8), by: key.publicKey)))
        case .send(let number, let request):
            self.sent.append(request)
            self.underWay = (number, request)
        case .abandon(let number): if self.underWay?.number == number { self.underWay = nil }
        case .wake(let moment): self.wake = moment
        case .complete(let caller, let reply): self.replies[caller, default: []].append(reply)
        case .present(let state): self.told.append(state)
        }
        return nil
    }

    /// Reports an event of a new caller, and returns the caller.
    @discardableResult
    mutating func ask(_ event: (SessionCaller) -> SessionReducer.Event) -> SessionCaller {
        self.caller += 1
        self.say(event(self.caller))
        return self.caller
    }

    /// Reports an event of a new caller, and returns what the caller gets at once.
    mutating func tell(_ event: (SessionCaller) -> SessionReducer.Event) -> SessionReducer.Reply? {
        let caller = self.ask(event)
        return self.reply(caller)
    }

    func reply(_ caller: SessionCaller) -> SessionReducer.Reply? { self.replies[caller]?.first }

    /// The running request, as its method and path.
    var asked: String? { self.underWay.map { "\($0.request.method) \($0.request.url.path)" } }

    mutating func answer(_ response: HTTPResponse) {
        guard let number = self.underWay?.number else { return }
        self.underWay = nil
        self.say(.responded(number, response))
    }

    mutating func lose() {
        guard let number = self.underWay?.number else { return }
        self.underWay = nil
        self.say(.requestFailed(number))
    }

    /// Moves the clock to the time of the last `wake`.
    mutating func waitForWake() {
        guard let wake else { return }
        self.now = max(self.now, wake)
        self.say(.timerFired)
    }

    /// Lets the server answer the request that is under way.
    mutating func step(_ server: inout ModelServer) {
        guard let request = self.underWay?.request else { return }
        self.answer(server.respond(to: request))
    }

    /// Lets the server answer until nothing is under way.
    mutating func settle(_ server: inout ModelServer) { for _ in 0..<50 { self.step(&server) } }

    // MARK: - Steps

    /// A session that has begun, and its server.
    static func active(level: String = "unlock") -> (SessionBench, ModelServer) {
        var (bench, server) = (SessionBench(), ModelServer())
        server.level = level
        bench.begin(&server)
        return (bench, server)
    }

    @discardableResult
    mutating func begin(_ server: inout ModelServer, user: String = "freja") -> SessionReducer.Reply? {
        self.ask { .keyWanted($0, name: "key") }
        server.logIn(Self.secret, user: user, thumbprint: self.reducer.record.key?.thumbprint ?? "")
        let thumbprint = self.reducer.record.key?.thumbprint
        let caller = self.ask { .beginWanted($0, Self.secret, thumbprint: thumbprint, nonce: nil) }
        self.settle(&server)
        return self.reply(caller)
    }

    @discardableResult
    mutating func setPIN(_ digits: String, _ server: inout ModelServer) -> SessionReducer.Reply? {
        let pin = Self.pin(digits, salt: UInt8(self.proofs % 200))
        let caller = self.ask { .pinChosen($0, pin, old: nil) }
        self.settle(&server)
        return self.reply(caller)
    }

    /// Unlocks with a server that responds.
    mutating func unlock(_ digits: String, _ server: inout ModelServer) -> SessionReducer.Reply? {
        let caller = self.unlock(digits)
        self.settle(&server)
        return self.reply(caller)
    }

    @discardableResult
    mutating func unlock(_ digits: String) -> SessionCaller {
        let candidates = self.candidates(digits)
        return self.ask { .unlockWanted($0, candidates) }
    }

    /// Advances the clock so that the access token is over.
    mutating func outliveToken() { self.now = MonotonicInstant(seconds: self.now.seconds + 400) }

    /// A new PIN with a secret that depends on the salt.
    static func pin(_ digits: String, salt: UInt8) -> PINCandidate {
        let secret = PINSecret { UInt64(salt) &* 0x9e37_79b9 }
        let mask = SHA256.hash(Array(digits.utf8) + [salt])
        return PINCandidate(
            pin: WrappedPIN(salt: Data([salt]), iterations: 1, masked: Data(secret.masked(by: mask))), secret: secret)
    }

    /// What this PIN makes of the stored ones.
    func candidates(_ digits: String) -> [PINCandidate] {
        self.reducer.record.pins.compactMap { pin in
            PINSecret(masked: Array(pin.masked), by: SHA256.hash(Array(digits.utf8) + Array(pin.salt)))
                .map { PINCandidate(pin: pin, secret: $0) }
        }
    }
}
