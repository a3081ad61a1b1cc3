// The connections of one loop, and what they share there.

import EventLoop
import HTTPWire

// Safe because all but `loop` and `parts`, which do not change, is touched on the loop only.
final class ConnectionTable: ResponseSink, @unchecked Sendable {
    private struct Place {
        var generation: UInt32 = 0
        var connection: Connection?
    }

    /// So many answers are sent together at most, so that the first of them does not wait long for the others.
    private static let together = BufferPool.limit

    let loop: EventLoop
    let parts: ServerParts
    /// Where bytes are read to before a parser takes them.
    let scratch: UnsafeMutableRawBufferPointer
    /// Memory for the next answers; see `Output`.
    @exclusivity(unchecked) var spare = BufferPool()
    /// Those that have an answer to send before the loop looks for new requests.
    private var answered: [Connection] = []
    /// Where TLS puts what a client said, and takes what it is to be told.
    let plain: UnsafeMutableRawBufferPointer
    var unsealed: [UInt8] = []
    /// Memory for what TLS itself says while it reads.
    var sealed: [UInt8] = []
    var date = HTTPDate()
    /// Whether a connection may have another request after the present one.
    private(set) var keepsAlive = true
    /// Connections close as soon as they are idle.
    private(set) var isDraining = false
    private(set) var isClosed = false
    /// For answers that are compressed on their way.
    private(set) lazy var gzip = GzipStream()
    private var intake: Intake?
    /// Connections that began to shake hands, the oldest first. Some may have come to an end since.
    private var handshakes: [ConnectionID] = []
    private let handshakeLimit: Int
    private var places: [Place] = []
    private var free: [UInt32] = []

    init(loop: EventLoop, parts: ServerParts, handshakes: Int) {
        self.handshakeLimit = max(1, handshakes)
        self.loop = loop
        self.parts = parts
        self.scratch = .allocate(byteCount: 64 * 1024, alignment: 16)
        // A record has so much at most (RFC 8446 §5.1).
        self.plain = .allocate(byteCount: parts.tls == nil ? 0 : 16 * 1024, alignment: 16)
    }

    deinit {
        self.scratch.deallocate()
        self.plain.deallocate()
    }

    subscript(_ id: ConnectionID) -> Connection? {
        let index = Int(id.place)
        guard self.places.indices.contains(index), self.places[index].generation == id.generation else { return nil }
        return self.places[index].connection
    }

    /// Does for a request what its handler wants. A client that has left by now is gone.
    func perform(_ step: ResponseStep, for request: RequestID) {
        if let connection = self[request.connection] {
            connection.perform(step, for: request.sequence)
        } else if case .watch(let action) = step {
            action()
        }
    }

    /// For a connection that has begun to read a request. Most requests are read in one go, so one is enough for all.
    func lendIntake() -> Intake {
        defer { self.intake = nil }
        return self.intake ?? Intake(limits: self.parts.limits.request)
    }

    /// Unused again.
    func takeBack(_ intake: Intake) { self.intake = intake }

    /// Takes a new connection, or, with a `refusal`, tells the client that it does not.
    func adopt(_ socket: consuming Socket, from peer: IPAddress?, refusal: ConnectionRefusal?) {
        let index = self.free.popLast() ?? UInt32(self.places.count)
        if Int(index) == self.places.count { self.places.append(Place()) }
        let id = ConnectionID(place: index, generation: self.places[Int(index)].generation)
        let connection = Connection(socket, from: peer, id: id, isRefused: refusal != nil, in: self)
        self.places[Int(index)].connection = connection
        if refusal == nil { self.parts.observer.connectionOpened() }
        connection.open(refusing: refusal)
    }

    /// The connection begins to shake hands. The newest has the best chance to be honest: whoever holds handshakes open
    /// holds old ones.
    func beginHandshake(_ id: ConnectionID) {
        self.handshakes.append(id)
        guard self.handshakes.count > self.handshakeLimit else { return }
        self.handshakes.removeAll { self[$0]?.isHandshaking != true }
        guard self.handshakes.count > self.handshakeLimit else { return }
        self[self.handshakes.removeFirst()]?.cutHandshake()
    }

    /// The connection has closed.
    func remove(_ connection: Connection) {
        let index = Int(connection.id.place)
        self.places[index].connection = nil
        self.places[index].generation &+= 1
        self.free.append(connection.id.place)
        if connection.isAdmitted { self.parts.observer.connectionClosed() }
        if self.parts.admission.release(connection.place) == 0 { self.parts.emptied() }
    }

    /// Sends what the connection has to send, soon and with that of others: whoever is waiting for many of our answers,
    /// a proxy above all, is then woken once for all of them, which costs us more than to send one.
    func sendSoon(_ connection: Connection) {
        self.answered.append(connection)
        if self.answered.count == 1 { self.loop.execute { self.sendAnswers() } }
        if self.answered.count >= Self.together { self.sendAnswers() }
    }

    private func sendAnswers() {
        var sent = 0
        while sent < self.answered.count {
            self.answered[sent].send()
            sent += 1
        }
        self.answered.removeAll(keepingCapacity: true)
    }

    /// Every answer from now on closes its connection, and says so.
    func endKeepAlive() { self.keepsAlive = false }

    /// Closes the connections that are idle now; the others close once they are answered.
    func drain() {
        self.sendAnswers()
        self.keepsAlive = false
        self.isDraining = true
        for place in self.places { place.connection?.closeIfIdle() }
    }

    func closeAll() {
        self.sendAnswers()
        self.keepsAlive = false
        self.isDraining = true
        self.isClosed = true
        for place in self.places { place.connection?.close() }
    }
}

/// What the loops of one server have in common.
/// What the loops of one server have in common.

import HTTPWire

struct ServerParts: Sendable {
    let limits: ServerLimits
    let waits: WaitLimits
    let handler: any RequestHandler
    let observer: any ServerObserver
    let admission: Admission
    /// Who connects, and begins with a PROXY header. Nil: everybody connects for himself.
    let proxies: [TrustedPeer]?
    /// Nil where connections are not encrypted.
    let tls: ServerTLS?
    /// Called, on any loop, when the last connection has closed.
    let emptied: @Sendable () -> Void
}
