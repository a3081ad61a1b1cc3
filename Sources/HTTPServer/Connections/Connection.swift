import EventLoop
import HTTPWire

// Safe because it is used only on its loop.
/// One client's connection: it executes what `ConnectionState` decides, on a socket, through TLS and a loop.
///
///     socket ─▶ PROXY header ─▶ TLS ─▶ ConnectionState ─▶ handler
///     socket ◀── output ◀────── TLS ◀──────┘◀──────────────┘
///
/// It has no source, task or timer of its own. Every event goes to the state. `run` then does what the state wants, and
/// `settle` updates what is watched, which deadline runs, and what memory is kept.
final class Connection: Watcher, @unchecked Sendable {
    // In this order the properties need hardly any room in between: there may be thousands of connections.
    let table: ConnectionTable
    /// The client: the peer of the socket, or the client that the proxy has named. Nil for a Unix socket until then.
    var peer: IPAddress?
    /// Whether the client connected to a Unix socket.
    private let isLocal: Bool
    /// Behind a proxy it counts for the client, once that is known.
    var place: AdmissionControl.Place
    // Unchecked, here and below: code that runs during an access never reaches a connection, and the checks for one
    // request would cost as much as reading its fields.
    @exclusivity(unchecked) private(set) var socket: Socket
    let id: ConnectionID
    /// The received part of the PROXY header; nil when none is expected.
    var proxyHeader: [UInt8]?

    @exclusivity(unchecked) var state = ConnectionState()
    private var isRunning = false
    /// Nil when nothing is watched any more.
    private var interest: Interest? = .read
    @exclusivity(unchecked) var output = OutputBuffer()
    /// Nil when the connection is not encrypted.
    var tls: TLSChannel?
    /// What the handler asked to run when the client leaves, or when a held request should end.
    var goneAction: (@Sendable (HoldEnd) -> Void)?
    private(set) var timer = ConnectionTimer()

    init(
        _ socket: consuming Socket, from peer: IPAddress?, id: ConnectionID, isRefused: Bool, in table: ConnectionTable
    ) {
        self.socket = socket
        self.peer = peer
        self.isLocal = peer == nil
        self.id = id
        let isProxied = table.parts.proxies != nil
        self.place = isRefused ? .refused : isProxied ? .unknown : .counted
        self.proxyHeader = isProxied && !isRefused ? [] : nil
        self.table = table
    }

    /// False for a refused connection, which gets only a refusal.
    var isAdmitted: Bool { self.place != .refused && self.place != .uncounted }

    /// Begins to watch the socket. This fails when the loop has no room. With a `refusal` the client gets only that.
    func open(refusing refusal: ConnectionRefusal?) {
        do throws(SystemCallError) {
            try self.table.loop.watch(self.socket.descriptor, for: .read, self)
        } catch {
            self.interest = nil
            return self.close()
        }
        guard self.beginTLS(), !(self.isAdmitted && self.table.isClosed) else { return self.close() }
        if let refusal { self.state.refuse(with: ServerRefusal(.connectionRefused(refusal), head: self.peek())) }
        self.run()
    }

    /// Returns the head of the first request if it has arrived already: a browser gets its refusal as a page. We do not
    /// wait for it, and drop what we have read.
    private func peek() -> RequestHead? {
        guard case .moved(let count) = self.socket.read(into: self.table.scratch) else { return nil }
        self.table.parts.observer.bytesReceived(count)
        return RequestParser.head(in: UnsafeRawBufferPointer(rebasing: self.table.scratch[..<count]))
    }

    /// Closes if no request has arrived. Closing with an unread request would send the client a reset.
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
        guard !readiness.contains(.broken) else { return self.abort(readiness) }
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

    /// TCP first reports a client that has left as one that sends nothing more, and as broken only later. A Unix socket
    /// is broken at once, and its last request may still be unread.
    private func abort(_ readiness: ReadyEvents) {
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

    /// Takes bytes as they came from the network.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        if let header = self.proxyHeader { return self.receiveBehindProxy(bytes, header) }
        guard let tls = self.tls else { return self.take(bytes) }
        self.receive(bytes, through: tls)
    }

    /// Takes plain bytes of the client.
    func take(_ bytes: UnsafeRawBufferPointer) {
        self.state.receive(bytes, lending: self.table.lendAssembler)
        self.run()
    }

    /// Called when the client sends nothing more.
    func takeEnd() {
        self.noteEndOfHandshake()
        self.state.receiveEnd()
        self.run()
    }

    /// Sends to the client what `write` appends. All output goes through here.
    func put<Failure: Error>(_ write: (inout [UInt8]) throws(Failure) -> Void) throws(Failure) {
        guard let tls = self.tls else { return try self.output.append(borrowing: &self.table.spare, write) }
        try self.put(through: tls, write)
    }

    /// Offers all unsent bytes to the network.
    func send() {
        guard !self.state.isClosed else { return }
        self.flush()
        self.run()
    }

    private func flush() {
        switch self.output.flush(to: self.socket, returning: &self.table.spare) {
        case .all(let count):
            if count > 0 { self.table.parts.observer.bytesSent(count) }
            self.state.noteSent(.all)
        case .some(let count):
            self.table.parts.observer.bytesSent(count)
            self.state.noteSent(.some)
        case .broken: self.state.noteSent(.broken)
        }
    }
}

// MARK: - Actions

extension Connection {
    /// Performs the state's actions until it waits for an event. An action may cause further events, such as a
    /// response; their actions are performed here too.
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
        if let entry = self.timer.stop() { self.table.loop.cancel(entry) }
        self.tls = nil
        self.table.remove(self)
        self.cutOff()
        let action = self.goneAction
        self.goneAction = nil
        action?(.clientLeft)
    }
}

// MARK: - Watching and waiting

extension Connection {
    private func settle() {
        guard !self.state.isClosed else { return }
        if let assembler = self.state.takeUnusedAssembler() { self.table.takeBack(assembler) }
        // We know what to wait for only after the bytes are offered to the network.
        guard !self.state.isSendingSoon else { return }
        self.watch(self.state.interest(unsent: self.output.count, limits: self.table.parts.limits))
        let (wait, table) = (self.wait, self.table)
        let due = self.timer.start(
            wait, of: self.state.sequence,
            until: table.loop.now + table.parts.waits.limit(of: wait, sequence: self.state.sequence))
        if let due { self.arm(at: due) }
    }

    private func watch(_ newInterest: Interest?) {
        guard newInterest != self.interest, self.interest != nil else { return }
        self.interest = newInterest
        if let newInterest {
            self.table.loop.change(self.socket.descriptor, to: newInterest)
        } else {
            self.table.loop.unwatch(self.socket.descriptor)
        }
    }

    private var wait: TimeoutKind? {
        let wait = self.state.wait(unsent: self.output.count, isDraining: self.table.isDraining)
        return wait == .request && self.isHandshaking ? .handshake : wait
    }

    private func arm(at due: Int64) {
        let loop = self.table.loop
        if let entry = self.timer.entry { loop.cancel(entry) }
        self.timer.entry = loop.schedule(after: .milliseconds(due - loop.now)) { self.handleTimer() }
    }

    /// Stops the deadline of a long poll: the handler has its own. There may be thousands, so none keeps an entry in
    /// the wheel.
    func stopTimer() {
        if let entry = self.timer.stop() { self.table.loop.cancel(entry) }
    }

    private func handleTimer() {
        switch self.timer.takeExpiry(at: self.table.loop.now) {
        case .nothing: break
        case .again(let due): self.arm(at: due)
        // There may be a response that is not sent yet.
        case .over(let wait): if wait == self.wait { self.timeOut(wait) }
        }
    }

    private func timeOut(_ wait: TimeoutKind) {
        // While the server stops, a new client's request may be there unread, because the loop was busy until now.
        if wait == .linger, self.state.isIdle {
            self.ready(.readable)
            guard self.state.isIdle else { return }
        }
        self.table.parts.observer.timedOut(wait)
        self.state.timeOut(wait, undelivered: self.socket.undelivered)
        self.run()
    }
}
