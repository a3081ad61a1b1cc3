// One client's connection: executes what `ConnectionState` decides, on a socket, through TLS and a loop.
//
//     socket ─▶ PROXY header ─▶ TLS ─▶ ConnectionState ─▶ handler
//     socket ◀── output ◀────── TLS ◀──────┘◀──────────────┘
//
// It has no source, task or timer of its own. Every event goes to the state; `run` then does what the state wants, and
// `settle` brings what is watched, which deadline runs, and what memory is held in line with it.

import EventLoop
import HTTPWire

// Safe because it is touched on its loop only.
final class Connection: Watcher, @unchecked Sendable {
    let table: ConnectionTable
    // Unchecked, here and where it is said again: what is called meanwhile knows nothing of connections, and the checks
    // of one request would cost as much as reading its fields.
    @exclusivity(unchecked) private(set) var socket: Socket
    /// The client: the peer of the socket, until a proxy has said for whom it connects. Nil where that is at the other end
    /// of a Unix socket.
    var peer: IPAddress?
    /// Whether it came by a Unix socket.
    private let isLocal: Bool
    let id: ConnectionID
    /// Behind a proxy it counts for the client, once that is known.
    var place: Admission.Place
    /// What has come of the PROXY header; nil when none is awaited.
    var proxyHeader: [UInt8]?

    @exclusivity(unchecked) var state = ConnectionState()
    @exclusivity(unchecked) var output = Output()
    /// Nil where the connection is not encrypted.
    var tls: TLSChannel?
    /// What the handler wants done when the client leaves.
    var goneAction: (@Sendable () -> Void)?
    private var isRunning = false
    /// Nil once nothing is watched.
    private var interest: Interest? = .read
    private var clock = ConnectionClock()

    init(
        _ socket: consuming Socket, from peer: IPAddress?, id: ConnectionID, isRefused: Bool, in table: ConnectionTable
    ) {
        self.socket = socket
        self.peer = peer
        self.isLocal = peer == nil
        self.id = id
        let isProxied = table.parts.proxies != nil
        self.place = isRefused ? .refused : .counted(isProxied ? nil : peer)
        self.proxyHeader = isProxied && !isRefused ? [] : nil
        self.table = table
    }

    /// A refused one is told so, and no more.
    var isAdmitted: Bool { if case .counted = self.place { true } else { false } }

    /// Begins to watch the socket. The loop may have no room for it. With a `refusal` the client is told so, and no more.
    func open(refusing refusal: ConnectionRefusal?) {
        do throws(SystemCallError) {
            try self.table.loop.watch(self.socket.descriptor, for: .read, self)
        } catch {
            self.interest = nil
            return self.close()
        }
        guard self.beginTLS(), !(self.isAdmitted && self.table.isClosed) else { return self.close() }
        if let refusal { self.state.refuse(with: ServerRefusal(.connectionRefused(refusal))) }
        self.run()
    }

    /// Closing over a request that has come, but was not read yet, would be a reset to its client.
    func closeIfIdle() {
        guard self.state.isIdle, self.output.isEmpty else { return }
        self.ready(.readable)
        guard self.state.isIdle, self.output.isEmpty else { return }
        if self.state.sequence > 0 { self.close() } else { self.settle() }
    }

    func close() {
        self.state.close()
        self.run()
    }
}

// MARK: - Events of the socket

extension Connection {
    func ready(_ readiness: ReadyEvents) {
        guard !readiness.contains(.broken) else { return self.breakOff(readiness) }
        if readiness.contains(.writable) {
            self.state.unblock()
            self.run()
        }
        if readiness.contains(.readable) {
            self.read()
        } else if readiness.contains(.hangup) {
            self.state.noteEnd()
            self.run()
        }
    }

    /// TCP reports a client that has left as one that sends nothing more, and as broken only later. A Unix socket is
    /// broken at once, and its last request may still be unread.
    private func breakOff(_ readiness: ReadyEvents) {
        if self.isLocal, readiness.contains(.readable) { self.read() }
        self.close()
    }

    private func read() {
        guard !self.state.isClosed else { return }
        switch self.socket.read(into: self.table.scratch) {
        case .moved(let count):
            self.table.parts.observer.bytesReceived(count)
            self.receive(UnsafeRawBufferPointer(rebasing: self.table.scratch[..<count]))
        case .notNow: break
        case .end: self.takeEnd()
        case .broken: self.close()
        }
    }

    /// What came over the network, as it came.
    private func receive(_ bytes: UnsafeRawBufferPointer) {
        guard let bytes = self.behindProxyHeader(bytes) else { return }
        guard let tls = self.tls else { return self.take(bytes) }
        self.receive(bytes, through: tls)
    }

    /// What the client said.
    func take(_ bytes: UnsafeRawBufferPointer) {
        self.state.receive(bytes, lending: self.table.lendIntake)
        self.run()
    }

    /// The client sends nothing more.
    func takeEnd() {
        self.noteEndOfHandshake()
        self.state.receiveEnd()
        self.run()
    }

    /// Lets `write` append what the client is to be sent. All that is sent goes through here.
    func put<Failure: Error>(_ write: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard let tls = self.tls else { return try self.output.append(borrowing: &self.table.spare, write) }
        try self.put(through: tls, write)
    }

    /// Offers the network all that waits.
    func send() {
        guard !self.state.isClosed else { return }
        self.flush()
        self.run()
    }

    private func flush() {
        switch self.output.flush(to: self.socket, returning: &self.table.spare) {
        case .all(let count):
            if count > 0 { self.table.parts.observer.bytesSent(count) }
            self.state.sent(.all)
        case .some(let count):
            self.table.parts.observer.bytesSent(count)
            self.state.sent(.some)
        case .broken: self.state.sent(.broken)
        }
    }
}

// MARK: - Actions

extension Connection {
    /// Does what the state wants until something has to happen first. What is called here may bring further events, such
    /// as an answer; their actions are done here too.
    func run() {
        guard !self.isRunning else { return }
        self.isRunning = true
        while let action = self.state.next(
            unsent: self.output.count, undelivered: { self.socket.undelivered })
        {
            self.perform(action)
        }
        self.isRunning = false
        self.settle()
    }

    private func perform(_ action: ConnectionState.Action) {
        switch action {
        case .handle(let request): self.handle(request)
        case .refuse(let refusal): self.refuse(refusal)
        case .writeContinue: self.put { MessageWriter.writeContinue(into: &$0) }
        case .sayEnd: self.putEnd()
        case .send: self.flush()
        case .sendSoon: self.table.sendSoon(self)
        case .yield:
            self.table.loop.execute {
                self.state.resume()
                self.run()
            }
        case .look(let pause):
            _ = self.table.loop.schedule(after: .milliseconds(pause)) {
                self.state.lookAgain()
                self.run()
            }
        case .finishWriting:
            self.sayEnd()
            self.socket.finishWriting()
        case .close(let abandons): self.tearDown(abandons: abandons)
        }
    }

    private func tearDown(abandons: Bool) {
        if abandons { self.socket.abandon() } else { self.sayEnd() }
        if self.interest != nil { self.table.loop.unwatch(self.socket.descriptor, isClosing: true) }
        self.interest = nil
        self.socket.close()
        if let entry = self.clock.stop() { self.table.loop.cancel(entry) }
        self.tls = nil
        self.table.remove(self)
        let action = self.goneAction
        self.goneAction = nil
        action?()
    }
}

// MARK: - Watching and waiting

extension Connection {
    private func settle() {
        guard !self.state.isClosed else { return }
        if let intake = self.state.takeUnusedIntake() { self.table.takeBack(intake) }
        // What is waited for is known once the bytes are offered to the network.
        guard !self.state.isSendingSoon else { return }
        self.watch(self.state.interest(unsent: self.output.count, limits: self.table.parts.limits))
        let (wait, table) = (self.wait, self.table)
        let due = self.clock.start(
            wait, of: self.state.sequence,
            until: table.loop.now + table.parts.waits.limit(of: wait, sequence: self.state.sequence))
        if let due { self.arm(at: due) }
    }

    private func watch(_ wanted: Interest?) {
        guard wanted != self.interest, self.interest != nil else { return }
        self.interest = wanted
        if let wanted {
            self.table.loop.change(self.socket.descriptor, to: wanted)
        } else {
            self.table.loop.unwatch(self.socket.descriptor)
        }
    }

    private var wait: ConnectionWait? {
        let wait = self.state.wait(unsent: self.output.count, isDraining: self.table.isDraining)
        return wait == .request && self.isHandshaking ? .handshake : wait
    }

    private func arm(at due: Int64) {
        let loop = self.table.loop
        if let entry = self.clock.entry { loop.cancel(entry) }
        self.clock.entry = loop.schedule(after: .milliseconds(due - loop.now)) { self.ring() }
    }

    /// A held request needs no deadline of ours. There may be thousands, so none keeps an entry in the wheel.
    func stopClock() {
        if let entry = self.clock.stop() { self.table.loop.cancel(entry) }
    }

    private func ring() {
        switch self.clock.takeRing(at: self.table.loop.now) {
        case .nothing: break
        case .again(let due): self.arm(at: due)
        // An answer may have come that is not sent yet.
        case .over(let wait): if wait == self.wait { self.timeOut(wait) }
        }
    }

    private func timeOut(_ wait: ConnectionWait) {
        // While the server stops, the request of a newcomer may be there, unread, because the loop was busy until now.
        if wait == .linger, self.state.isIdle {
            self.ready(.readable)
            guard self.state.isIdle else { return }
        }
        self.table.parts.observer.timedOut(wait)
        self.state.timeOut(wait, undelivered: self.socket.undelivered)
        self.run()
    }
}
