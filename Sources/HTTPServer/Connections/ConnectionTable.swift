import EventLoop
import HTTPWire

// Safe because `loop` and `parts` never change and all else is used only on the loop.
/// The connections of one loop, and what they share.
final class ConnectionTable: @unchecked Sendable {
    /// The most responses that are sent together, so that the first one does not wait long.
    private static let maxResponsesPerSend = BufferPool.limit

    let loop: EventLoop
    let parts: ServerComponents
    /// Where bytes are read to before a parser takes them.
    let scratch: UnsafeMutableRawBufferPointer
    /// Memory for the next responses; see `OutputBuffer`.
    @exclusivity(unchecked) var spare = BufferPool()
    /// The connections with a response to send before the loop looks for new requests.
    private var answered: [Connection] = []
    /// Where TLS puts decrypted bytes, and where it takes the bytes to encrypt.
    let plain: UnsafeMutableRawBufferPointer
    var unsealed: [UInt8] = []
    /// Memory for the messages of TLS itself while it reads.
    var sealed: [UInt8] = []
    var date = HTTPDate()
    /// Whether a connection may have another request after the present one.
    private(set) var keepsAlive = true
    /// Connections close as soon as they are idle.
    private(set) var isDraining = false
    private(set) var isClosed = false
    /// Compresses responses.
    private(set) lazy var gzip = GzipStream()
    private var assembler: RequestAssembler?
    /// The connections that began a handshake, the oldest first. Some handshakes may be over.
    private var handshakes: [ConnectionID] = []
    private let handshakeLimit: Int
    private var slots = SlotMap<Connection>()
    /// This table and those of the other loops. Set once, before the server listens.
    var neighbors: [Neighbor] = []

    struct Neighbor {
        weak var table: ConnectionTable?
    }

    init(loop: EventLoop, parts: ServerComponents, handshakes: Int) {
        self.handshakeLimit = max(1, handshakes)
        self.loop = loop
        self.parts = parts
        self.scratch = .allocate(byteCount: 64 * 1024, alignment: 16)
        // The largest size of a record (RFC 8446 §5.1).
        self.plain = .allocate(byteCount: parts.tls == nil ? 0 : 16 * 1024, alignment: 16)
    }

    deinit {
        self.scratch.deallocate()
        self.plain.deallocate()
    }

    subscript(_ id: ConnectionID) -> Connection? { self.slots[id] }

    /// By slot; nil where a slot is free.
    var connections: [Connection?] { self.slots.elements }

    /// Performs a handler's step for a request, if its client is still connected.
    func perform(_ step: ResponseStep, for request: RequestID) {
        if let connection = self[request.connection] {
            connection.perform(step, for: request.sequence)
        } else {
            switch step {
            case .watch(let action): action()
            case .hold(let action): action(.clientLeft)
            case .answer, .begin, .send, .end: break
            }
        }
    }

    /// Lends a request assembler to a connection that begins to read a request. Most requests are read in one go, so
    /// one is enough.
    func lendAssembler() -> RequestAssembler {
        defer { self.assembler = nil }
        return self.assembler ?? RequestAssembler(limits: self.parts.limits.request)
    }

    /// Takes back an unused request assembler.
    func takeBack(_ assembler: RequestAssembler) { self.assembler = assembler }

    /// Takes a new connection, or sends the client the `refusal`.
    func adopt(_ socket: consuming Socket, from peer: IPAddress?, refusal: ConnectionRefusal?) {
        let id = self.slots.reserve()
        let connection = Connection(socket, from: peer, id: id, isRefused: refusal != nil, in: self)
        self.slots.fill(id, with: connection)
        if refusal == nil { self.parts.observer.connectionOpened() }
        connection.open(refusing: refusal)
    }

    /// Records a new handshake. Above the limit it cuts off the oldest, because an attacker who keeps handshakes open
    /// keeps old ones.
    func beginHandshake(_ id: ConnectionID) {
        self.handshakes.append(id)
        guard self.handshakes.count > self.handshakeLimit else { return }
        self.handshakes.removeAll { self[$0]?.isHandshaking != true }
        guard self.handshakes.count > self.handshakeLimit else { return }
        self[self.handshakes.removeFirst()]?.cutHandshake()
    }

    /// Called when the connection has closed.
    func remove(_ connection: Connection) {
        self.slots.remove(connection.id)
        if connection.isAdmitted { self.parts.observer.connectionClosed() }
        if self.parts.admission.release(connection.place, of: connection.peer) == 0 { self.parts.drained() }
    }

    /// Called when an admitted connection is refused after all, and no longer counts as one.
    func noteRefused() {
        self.parts.observer.connectionClosed()
        if self.parts.admission.total == 0 { self.parts.drained() }
    }

    /// Sends the connection's bytes soon, together with those of others. A peer that waits for many of our responses,
    /// such as a proxy, is then woken once for all. Waking it costs us more than sending a response.
    func sendSoon(_ connection: Connection) {
        self.answered.append(connection)
        if self.answered.count == 1 { self.loop.execute { self.sendAnswers() } }
        if self.answered.count >= Self.maxResponsesPerSend { self.sendAnswers() }
    }

    private func sendAnswers() {
        var sentCount = 0
        while sentCount < self.answered.count {
            self.answered[sentCount].send()
            sentCount += 1
        }
        self.answered.removeAll(keepingCapacity: true)
    }

    /// Makes every further response close its connection and say so.
    func endKeepAlive() { self.keepsAlive = false }

    /// Closes the idle connections now, and the others after their response.
    func drain() {
        self.sendAnswers()
        self.keepsAlive = false
        self.isDraining = true
        for connection in self.connections { connection?.closeIfIdle() }
    }

    func closeAll() {
        self.sendAnswers()
        self.keepsAlive = false
        self.isDraining = true
        self.isClosed = true
        for connection in self.connections { connection?.close() }
    }
}

/// What the loops of one server have in common.
struct ServerComponents: Sendable {
    let limits: ServerLimits
    let waits: TimeoutLimits
    let handler: any RequestHandler
    let observer: any ServerObserver
    let admission: AdmissionControl
    /// The proxies, which alone may connect and begin with a PROXY header. Nil when clients connect directly.
    let proxies: [TrustedPeer]?
    /// Nil when connections are not encrypted.
    let tls: ServerTLS?
    /// Nil except in the sandbox.
    let exchanges: (any ExchangeRecorder)?
    /// Called on any loop when the last connection has closed.
    let drained: @Sendable () -> Void
}
