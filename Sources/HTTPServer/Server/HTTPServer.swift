/// An HTTP/1.1 server: listens at one address, and serves its connections on the loops it is given.
///
///     Listener ──▶ ConnectionTable, one per loop ──▶ Connection ──▶ RequestParser ──▶ RequestHandler
///                                                        ▲                                │
///                                                        └──────── ResponseHandle ◀───────┘
///
/// The loops stay the caller's: close the server first, then them.

import EventLoop
import HTTPWire
import Synchronization

package final class HTTPServer: Sendable {
    private enum State {
        case fresh
        case listening(Listener)
        case stopped
    }

    package let listen: Listen
    private let inherited: InheritedSocket?
    private let sharesPort: Bool
    private let parts: ServerParts
    private let tables: [ConnectionTable]
    private let state = Mutex(State.fresh)
    private let emptiness: Emptiness

    /// At least one loop. A socket that is `inherited` listens already, wherever that is. With `sharesPort` other
    /// processes of the same user may listen at the same address. Where there are `proxies`, they alone may connect, and
    /// begin with a PROXY header. With `tls` it speaks HTTPS, and nothing else.
    package init(
        listen: Listen, inherited: InheritedSocket? = nil, sharesPort: Bool = false, loops: [EventLoop],
        limits: ServerLimits = ServerLimits(), proxies: [TrustedPeer]? = nil, handler: any RequestHandler,
        observer: any ServerObserver = NoObserver(), tls: ServerTLS? = nil
    ) {
        let admission = Admission(limits: limits)
        let emptiness = Emptiness { admission.total == 0 }
        let parts = ServerParts(
            limits: limits, waits: WaitLimits(limits), handler: handler, observer: observer, admission: admission,
            proxies: proxies, tls: tls, emptied: { emptiness.reached() })
        self.listen = listen
        self.inherited = inherited
        self.sharesPort = sharesPort
        self.parts = parts
        self.tables = loops.map {
            ConnectionTable(loop: $0, parts: parts, handshakes: limits.handshakes / loops.count)
        }
        self.emptiness = emptiness
    }

    /// Connections that are open now, without the refused ones.
    package var openConnections: Int { self.parts.admission.total }

    /// Begins to listen. Returns where, with the port that the system chose if 0 was asked for. Once in a server's life.
    package func start() throws(ListenError) -> Listen {
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

    /// Connections are taken as before, but each is closed by its next answer, so that clients look for another server.
    package func endKeepAlive() {
        for table in self.tables { table.loop.execute { table.endKeepAlive() } }
    }

    private func open() throws(ListenError) -> ListeningSocket {
        guard let inherited else { return try ListeningSocket.open(self.listen, sharesPort: self.sharesPort) }
        guard let socket = inherited.take() else { throw .alreadyStarted }
        return socket
    }

    /// Takes no more connections, and no more requests on the open ones than those being read: the answer to each
    /// closes its connection. For good.
    package func stopAccepting() {
        let before = self.state.withLock { state in
            defer { state = .stopped }
            return state
        }
        // First, so that the last ones who are accepted find it so.
        self.endKeepAlive()
        switch before {
        case .listening(let listener): listener.stop()
        case .fresh, .stopped: break
        }
        for table in self.tables { table.loop.execute { table.drain() } }
    }

    /// Stops accepting, waits until all requests are answered, and closes. True when that was so within `limit`; what
    /// is then still open is cut off.
    package func drain(within limit: Duration) async -> Bool {
        self.stopAccepting()
        guard let loop = self.tables.first?.loop else { return true }
        // The connection that was handed to another loop just now is counted already.
        await withCheckedContinuation { continuation in
            loop.execute { continuation.resume() }
        }
        let isEmpty = await self.emptiness.wait(within: limit, on: loop)
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
