import Base
import EventLoop
import HTTPWire
import Synchronization

/// An HTTP/1.1 server: listens at one address, and serves its connections on the loops it is given.
///
///     Listener ──▶ ConnectionTable, one per loop ──▶ Connection ──▶ RequestParser ──▶ RequestHandler
///                                                        ▲                                │
///                                                        └──────── ResponseHandle ◀───────┘
///
/// The caller owns the loops: close the server first, then the loops.
package final class HTTPServer: Sendable {
    private enum State {
        case fresh
        case listening(Listener)
        case stopped
    }

    package let listen: ListenAddress
    private let inherited: InheritedSocket?
    private let sharesPort: Bool
    private let parts: ServerComponents
    private let tables: [ConnectionTable]
    private let state = Mutex(State.fresh)
    private let drainSignal: DrainSignal

    /// Needs at least one loop. An `inherited` socket listens already, so `listen` does not matter then. With
    /// `sharesPort` other processes of the same user may listen at the same address. With `proxies` only they may
    /// connect, and each connection begins with a PROXY header. With `tls` the server speaks only HTTPS. `exchanges`
    /// sees how each request ends.
    package init(
        listen: ListenAddress, inherited: InheritedSocket? = nil, sharesPort: Bool = false, loops: [EventLoop],
        limits: ServerLimits = ServerLimits(), proxies: [TrustedPeer]? = nil, handler: any RequestHandler,
        observer: any ServerObserver = NoObserver(), tls: ServerTLS? = nil,
        exchanges: (any ExchangeRecorder)? = nil
    ) {
        let admission = AdmissionControl(limits: limits)
        let drainSignal = DrainSignal { admission.total == 0 }
        let parts = ServerComponents(
            limits: limits, waits: TimeoutLimits(limits), handler: handler, observer: observer, admission: admission,
            proxies: proxies, tls: tls, exchanges: exchanges, drained: { drainSignal.signal() })
        self.listen = listen
        self.inherited = inherited
        self.sharesPort = sharesPort
        self.parts = parts
        let tables = loops.map {
            ConnectionTable(loop: $0, parts: parts, handshakes: limits.handshakes / loops.count)
        }
        for table in tables { table.neighbors = tables.map { ConnectionTable.Neighbor(table: $0) } }
        self.tables = tables
        self.drainSignal = drainSignal
    }

    /// The connections that are open now, without the refused ones.
    package var openConnections: Int { self.parts.admission.total }

    /// Uses `connections` and `connectionsPerAddress` of these limits for connections that come from now on. The others
    /// stay as they were.
    package func replaceConnectionLimits(with limits: ServerLimits) { self.parts.admission.replace(limits: limits) }

    /// Begins to listen. Returns the address, with the port that the system chose if `listen` has port 0. A server can
    /// start once.
    package func start() throws(OperatorError) -> ListenAddress {
        guard let loop = self.tables.first?.loop else { throw .noLoop }
        let socket = try self.open()
        let (place, file) = (socket.place ?? self.listen, socket.file)
        let listener = Listener(socket, on: loop, parts: self.parts, tables: self.tables)
        let isFresh = self.state.withLock { state in
            guard case .fresh = state else { return false }
            state = .listening(listener)
            return true
        }
        guard isFresh else {
            file?.remove()
            throw .alreadyStarted
        }
        do throws(SystemCallError) {
            try listener.start()
            return place
        } catch {
            self.stopAccepting()
            throw .system(error)
        }
    }

    /// Accepts connections as before, but the next response on each closes it, so that clients look for another server.
    package func endKeepAlive() {
        for table in self.tables { table.loop.execute { table.endKeepAlive() } }
    }

    private func open() throws(OperatorError) -> ListeningSocket {
        guard let inherited else { return try ListeningSocket.open(self.listen, sharesPort: self.sharesPort) }
        guard let socket = inherited.take() else { throw .alreadyStarted }
        return socket
    }

    /// Stops accepting for good. A request that is already being read gets a response, which closes its connection.
    package func stopAccepting() {
        let before = self.state.withLock { state in
            defer { state = .stopped }
            return state
        }
        // This comes first, so that the last accepted connections see it.
        self.endKeepAlive()
        switch before {
        case .listening(let listener): listener.stop()
        case .fresh, .stopped: break
        }
        for table in self.tables { table.loop.execute { table.drain() } }
    }

    /// Stops accepting, waits until all requests are answered, and closes. Returns true if that took at most `limit`.
    /// Otherwise the remaining connections are cut off.
    package func drain(within limit: Duration) async -> Bool {
        self.stopAccepting()
        guard let loop = self.tables.first?.loop else { return true }
        // A connection that was just handed to another loop is counted already.
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume() }
        }
        let isEmpty = await self.drainSignal.wait(within: limit, on: loop)
        await self.close()
        return isEmpty
    }

    /// Closes the listening socket and all connections, and returns when they are closed.
    package func close() async {
        self.stopAccepting()
        for table in self.tables {
            await withCheckedContinuation { continuation in
                table.loop.execute {
                    table.closeAll()
                    continuation.resume()
                }
            }
        }
    }
}
