// One client's connection: reads requests, hands them to the handler one after the other, writes the answers.
//
//     idle ─▶ head ─▶ body ─▶ answering ─▶ idle ─▶ …
//       └──────┴───────┴──────────┴─▶ finishing ─▶ lingering ─▶ closed
//
// It has no source, task or timer of its own. Events only change its state; `settle` then brings what is watched, and
// which deadline runs, in line with it.

import EventLoop
import HTTPWire

// Safe because it is touched on its loop only.
final class Connection: Watcher, @unchecked Sendable {
    enum Phase {
        /// Between two requests: no byte of the next has come.
        case idle
        case head
        case body
        /// The handler has the request.
        case answering
        /// The last answer is given, but not yet taken by the network.
        case finishing
        /// We have said all; what the client still sends is dropped. Closing at once could destroy, on its way, the
        /// answer that says why (RFC 9112 §9.6).
        case lingering
        case closed
    }

    /// What must be known of the request that the handler has.
    struct Asked {
        var method = Method.get
        var version = Version.http11
        var keepsAlive = true
        /// The answer has begun, and comes in parts.
        var isStreaming = false
        /// What the handler wants done when the client leaves. It has a deadline of its own then.
        var goneAction: (@Sendable () -> Void)?
    }

    let table: ConnectionTable
    let socket: Socket
    /// Who the client is: whoever connected, until a proxy has said for whom.
    var peer: IPAddress
    let id: ConnectionID
    /// Whether it has a place among the counted ones. A refused one has not.
    let isAdmitted: Bool
    /// Whether it counts for `peer`.
    var countsForPeer: Bool
    /// What has come of the PROXY header; nil when none is awaited.
    var proxyHeader: [UInt8]?

    var phase = Phase.idle
    /// Nil while nothing of a request is held, as on most connections most of the time.
    var intake: Intake?
    var asked = Asked()
    /// Counts the requests; tells an exchange from the next on the same connection.
    var sequence: UInt32 = 0
    // Unchecked, here and where it is said again: what is called meanwhile knows nothing of connections, and the checks
    // of one request would cost as much as reading its fields.
    @exclusivity(unchecked) var output = Output()
    /// Nil where the connection is not encrypted.
    var tls: TLSChannel?
    /// True within `process`, which flushes and settles when it is through.
    var isProcessing = false
    /// The client sends nothing more, but may still want its answer.
    var isHalfClosed = false
    /// The client may be sending what we do not read, so that closing at once would be rude.
    var needsLingering = false
    /// How much was dropped while lingering.
    var dropped = 0
    var interest = Interest.read
    var clock = ConnectionClock()

    init(_ socket: Socket, from peer: IPAddress, id: ConnectionID, isAdmitted: Bool, in table: ConnectionTable) {
        self.socket = socket
        self.peer = peer
        self.id = id
        self.isAdmitted = isAdmitted
        let isProxied = table.parts.proxies != nil
        self.countsForPeer = !isProxied
        self.proxyHeader = isProxied && isAdmitted ? [] : nil
        self.table = table
    }

    /// It is watched from now on.
    func open() {
        guard self.beginTLS() else { return self.close() }
        if !self.isAdmitted {
            self.refuse(.serviceUnavailable)
        } else if self.table.isClosed {
            return self.close()
        }
        self.settle()
    }

    /// Closing over a request that has come, but was not read yet, would be a reset to whoever sent it.
    func closeIfIdle() {
        guard self.phase == .idle, self.output.isEmpty else { return }
        self.ready(.readable)
        guard self.phase == .idle, self.output.isEmpty else { return }
        if self.sequence > 0 { self.close() } else { self.settle() }
    }

    func close() {
        guard self.phase != .closed else { return }
        self.phase = .closed
        self.sayEnd()
        self.table.loop.unwatch(self.socket.descriptor, isClosing: true)
        self.socket.close()
        if let entry = self.clock.entry { self.table.loop.cancel(entry) }
        self.intake = nil
        self.tls = nil
        let action = self.asked.goneAction
        self.asked = Asked()
        self.table.remove(self)
        action?()
    }
}
