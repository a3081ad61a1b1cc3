import EventLoop
import HTTPWire

// Safe because its mutable state is used only on its loop.
/// The listening socket: it accepts connections and hands them to the loops in turn.
final class Listener: Watcher, @unchecked Sendable {
    /// How many connections we accept in one go, before the loop's other descriptors have their turn.
    private static let batch = 256
    /// How many batches we accept at the end: twice what the system lets wait. More clients must not keep the listener
    /// open.
    private static let lastBatches = 32
    /// How long we pause when the system has no descriptors left. Each try would fail at once and keep the loop busy.
    private static let pause = Duration.milliseconds(200)
    /// Milliseconds without such a failure after which we report the next one.
    private static let quietTime: Int64 = 60_000

    private var socket: ListeningSocket
    private let loop: EventLoop
    private let parts: ServerComponents
    private let tables: [ConnectionTable]
    private var turn = 0
    private var isOpen = true
    /// When the system last had no descriptors left. We report that once, not at each try.
    private var exhaustedAt: Int64?
    private var spare: SpareDescriptor?

    init(_ socket: consuming ListeningSocket, on loop: EventLoop, parts: ServerComponents, tables: [ConnectionTable]) {
        self.socket = socket
        self.loop = loop
        self.parts = parts
        self.tables = tables
        self.spare = parts.limits.keepsSpareDescriptor ? SpareDescriptor() : nil
    }

    /// Call it from any thread except another loop of the server.
    func start() throws(SystemCallError) {
        // Runs on the loop, where another thread's `stop` closes the socket.
        let failure: SystemCallError? = self.loop.sync {
            self.socket.prepareAccepted(writeLimit: self.parts.limits.writeTime)
            do throws(SystemCallError) {
                try self.loop.watch(self.socket.descriptor, for: .read, self)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }

    /// Closes the socket soon. Safe on any thread. Clients that are connected already are served: closing would reset
    /// those that wait to be accepted.
    func stop() {
        self.loop.execute {
            guard self.isOpen else { return }
            self.isOpen = false
            // This comes first, so that no other client finds the socket.
            self.socket.file?.remove()
            for _ in 0..<Self.lastBatches where self.acceptsAll() { break }
            self.loop.unwatch(self.socket.descriptor)
            self.socket.close()
            _ = self.spare?.release()
        }
    }

    func ready(_ readiness: ReadyEvents) {
        _ = self.spare?.take()
        _ = self.acceptsAll()
    }

    /// Accepts the waiting connections, up to `batch`. Returns false if more may be waiting.
    private func acceptsAll() -> Bool {
        for _ in 0..<Self.batch {
            // The loop reports the socket again once the loops have made room.
            guard self.findsRoom() || !self.isOpen else { return true }
            switch self.socket.accept() {
            case .connection(let socket, let peer): self.hand(socket, from: peer)
            case .none: return true
            case .failed: continue
            case .exhausted(let failure):
                if Descriptors.isExhaustion(failure.code), self.acceptsWithSpare() { continue }
                self.rest(failure)
                return true
            }
        }
        return false
    }

    /// Returns false while others must give way first. Behind a proxy the client waits only when it is known.
    private func findsRoom() -> Bool {
        self.parts.proxies == nil ? self.tables.first?.orderRoom() != false : self.parts.admission.takesProxied
    }

    /// Gives up the spare descriptor for one client. Returns false when there is no spare.
    private func acceptsWithSpare() -> Bool {
        guard self.spare?.release() == true else { return false }
        self.takeSpareBack()
        guard case .connection(let socket, let peer) = self.socket.accept() else { return false }
        self.hand(socket, from: peer)
        return true
    }

    /// Tries until there is a descriptor again; at the latest when that client leaves.
    private func takeSpareBack() {
        self.loop.schedule(after: Self.pause) { [weak self] in
            guard let self, self.isOpen, self.spare?.take() == false else { return }
            self.takeSpareBack()
        }
    }

    /// Closes the socket if it goes to no loop.
    private func hand(_ socket: consuming Socket, from peer: IPAddress?) {
        if let proxies = self.parts.proxies, !proxies.contains(where: { $0.contains(peer) }) {
            // Its PROXY header could name any client, and without a header it bypasses the proxy.
            return self.parts.observer.connectionRefused(.notFromProxy)
        }
        guard self.parts.proxies == nil else {
            self.parts.admission.admitProxied()
            return self.hand(socket, from: peer, refusal: nil)
        }
        switch self.parts.admission.admit(peer) {
        case .admitted:
            self.hand(socket, from: peer, refusal: nil)
        case .refused(let refusal, politely: true):
            self.parts.observer.connectionRefused(refusal)
            self.hand(socket, from: peer, refusal: refusal)
        case .refused(let refusal, politely: false):
            self.parts.observer.connectionRefused(refusal)
        // Only a known client waits.
        case .waits: break
        }
    }

    private func hand(_ socket: consuming Socket, from peer: IPAddress?, refusal: ConnectionRefusal?) {
        let table = self.tables[self.turn]
        self.turn = (self.turn + 1) % self.tables.count
        guard table.loop !== self.loop else { return table.adopt(socket, from: peer, refusal: refusal) }
        let transfer = OneTimeTransfer(socket)
        table.loop.execute {
            guard let socket = transfer.take() else { return }
            table.adopt(socket, from: peer, refusal: refusal)
        }
    }

    private func rest(_ failure: SystemCallError) {
        if self.loop.now - (self.exhaustedAt ?? .min / 2) > Self.quietTime {
            self.parts.observer.acceptingPaused(failure)
        }
        self.exhaustedAt = self.loop.now
        self.loop.change(self.socket.descriptor, to: [])
        self.loop.schedule(after: Self.pause) { [weak self] in
            guard let self, self.isOpen else { return }
            self.loop.change(self.socket.descriptor, to: .read)
        }
    }
}
