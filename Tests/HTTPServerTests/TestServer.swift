import EventLoop
import HTTPServer
import HTTPWire
import Synchronization
import TestSupport
import Testing

/// A server with a handler for everything that the tests try, and a record of what it observed.
struct TestServer: Sendable {
    let server: HTTPServer
    let place: ListenAddress
    var port: UInt16 { self.place.port }
    let book: Book
    /// The handles of `/held` requests without a response yet.
    let held: Mailbox<ResponseHandle>
    /// What `/told` reported: that its client has gone.
    let gone: Mailbox<String>
    /// The polls that wait.
    let polls: HeldPolls
    let loops: [EventLoop]
    /// Nil when the time is that of the machine.
    let clock: StoppedClock?

    func client(from: String = "127.0.0.1", window: Int32? = nil) throws -> RawClient {
        guard let path = self.place.path else { return try RawClient(port: self.port, from: from, window: window) }
        return try RawClient(path: path)
    }

    /// Returns a client that has done its handshake, or has tried to.
    func client(
        _ offer: ClientTLS.Offer, window: Int32? = nil, piece: Int = .max
    ) async throws -> (client: RawClient, tls: ClientTLS, isOpen: Bool) {
        let (client, tls) = (try self.client(window: window), try ClientTLS(offer))
        return (client, tls, await client.begin(tls, piece: piece))
    }

    /// Moves the clock forward once the loops have done all their work. Deadlines come within two ticks of their time.
    func pass(_ time: Duration) async {
        for loop in self.loops {
            for _ in 0..<4 { await withCheckedContinuation { done in loop.execute { done.resume() } } }
        }
        self.clock?.advance(by: time + .milliseconds(300))
    }

    /// Waits until `isSo`, or until `Patience` ends.
    @discardableResult
    func waits(until isSo: (TestServer) -> Bool) async -> Bool { await self.book.waits { _ in isSo(self) } }
}

/// A clock that stands still until a test moves it, so that no deadline passes because the machine is slow.
final class StoppedClock: Sendable {
    private let milliseconds = Atomic<Int64>(1_000_000)

    var now: Int64 { self.milliseconds.load(ordering: .sequentiallyConsistent) }

    func advance(by time: Duration) { self.milliseconds.add(time.milliseconds, ordering: .sequentiallyConsistent) }
}

/// Runs `body` with a new server, and closes everything afterwards.
func withServer(
    _ polling: Polling = .standard, at listen: String = "127.0.0.1:0", loops count: Int = 1,
    limits: ServerLimits = ServerLimits(),
    proxies: [TrustedPeer]? = nil, tls: ServerTLS? = nil, clock: StoppedClock? = nil,
    exchanges: (any ExchangeRecorder)? = nil,
    _ body: (TestServer) async throws -> Void
) async throws {
    let now: @Sendable () -> Int64 = { clock?.now ?? EventLoop.monotonic() }
    let loops = try EventLoop.makeLoops(count: count, polling: polling, clock: now)
    let handler = TestHandler()
    let book = Book()
    let server = HTTPServer(
        listen: try #require(ListenAddress(listen)), loops: loops, limits: limits, proxies: proxies,
        handler: handler, observer: book, tls: tls, exchanges: exchanges)
    let place = try server.start()
    do {
        try await body(
            TestServer(
                server: server, place: place, book: book, held: handler.held, gone: handler.gone, polls: handler.polls,
                loops: loops,
                clock: clock))
    } catch {
        await server.close()
        for loop in loops { loop.close() }
        throw error
    }
    await server.close()
    for loop in loops { loop.close() }
    #expect(server.openConnections == 0)
    #expect(book.opened == book.closed)
}

struct TestHandler: RequestHandler {
    let held = Mailbox<ResponseHandle>()
    let gone = Mailbox<String>()
    let polls = HeldPolls()

    func handle(_ request: Request, _ responder: ResponseHandle) {
        switch request.target.path {
        case "/hello": responder.respond(Response(.ok, text: "hello"))
        case "/echo": responder.respond(Response(.ok, text: "\(request.method.rawValue) ", request.body))
        case "/page": responder.respond(Response(.ok, fields: [:], body: Self.page))
        case "/big": responder.respond(Response(.ok, fields: [:], body: Self.big))
        case "/held": self.held.put(responder)
        case "/told":
            responder.onGone { self.gone.put(request.target.raw) }
            self.held.put(responder)
        case "/polled": self.polls.add(responder)
        case "/twice":
            responder.respond(Response(.ok, text: "first"))
            responder.respond(Response(.ok, text: "second"))
        case "/peer": responder.respond(Response(.ok, text: responder.peer?.description ?? "unix"))
        case "/forged": responder.respond(Response(.ok, fields: [.location: "/\r\nSet-Cookie: a=b"], body: []))
        case "/packed":
            let text = Array(String(repeating: "the same again ", count: 200).utf8)
            responder.respond(Self.text(text, request).compressible(for: request))
        case "/small": responder.respond(Self.text(Array("little".utf8), request).compressible(for: request))
        case "/random": responder.respond(Self.text(Self.noise, request).compressible(for: request))
        case "/secret":
            responder.respond(Self.text(Array(String(repeating: "the same again ", count: 200).utf8), request))
        case "/close": responder.respond(Response(.ok, fields: [.connection: "close"], body: Array("bye".utf8)))
        default: responder.respond(Response(.notFound, text: "nothing"))
        }
    }

    /// The query chooses the entity tag.
    private static func text(_ bytes: [UInt8], _ request: Request) -> Response {
        var response = Response(.ok, fields: [.contentType: "text/plain; charset=utf-8"], body: bytes)
        response.fields[.etag] = ["strong": "\"a\"", "weak": "W/\"a\""][request.target.query ?? ""]
        return response
    }

    /// Bytes that compression does not make smaller.
    static let noise = (0..<2000).map { UInt8(truncatingIfNeeded: ($0 &* $0 &* 2_654_435_761) >> 11 ^ $0) }

    func response(to refusal: ServerRefusal) -> Response {
        var response = refusal.plainResponse
        if let head = refusal.head { response.fields["x-refused"] = head.target.path }
        return response
    }

    /// As large as one of our pages.
    static let page = [UInt8](repeating: UInt8(ascii: "x"), count: 52_000)
    /// More than the sockets on both sides can buffer.
    static let big = {
        var bytes = Array("0123456789abcdef-".utf8)
        while bytes.count < 8_000_000 { bytes += bytes }
        return bytes
    }()
}

/// Polls that wait until all of them are settled, or until others need their connection.
final class HeldPolls: Sendable {
    private let waiting = Mutex<[ResponseHandle]?>([])

    /// How many have waited.
    var count: Int { self.waiting.withLock { $0?.count ?? 0 } }

    func add(_ handle: ResponseHandle) {
        let waits = self.waiting.withLock { waiting in
            waiting?.append(handle)
            return waiting != nil
        }
        guard waits else { return handle.respond(Response(.ok, text: "settled")) }
        handle.hold { if $0 == .placeNeeded { handle.respond(Response(.notModified, fields: [:], body: [])) } }
    }

    func settle() {
        let waiting = self.waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting ?? []
        }
        for handle in waiting { handle.respond(Response(.ok, text: "settled")) }
    }
}

extension Response {
    init(_ status: Status, text: String, _ bytes: [UInt8] = []) {
        self.init(status, fields: [.contentType: "text/plain"], body: Array(text.utf8) + bytes)
    }
}

/// Counts what a server does.
final class Book: ServerObserver {
    private let lines = Mutex<[String]>([])

    var opened: Int { self.count("opened") }
    var closed: Int { self.count("closed") }

    func count(_ line: String) -> Int { self.lines.withLock { $0.count { $0 == line } } }

    /// Waits until `isSo`, or until `Patience` ends.
    func waits(until isSo: (Book) -> Bool) async -> Bool {
        let end = Patience.end
        while !isSo(self), ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
        return isSo(self)
    }

    func connectionOpened() { self.note("opened") }
    func connectionClosed() { self.note("closed") }
    func connectionRefused(_ reason: ConnectionRefusal) { self.note("refused \(reason.rawValue)") }
    func connectionDisplaced(_ kind: Displacement) { self.note("displaced \(kind.rawValue)") }
    func acceptingPaused(_ failure: SystemCallError) { self.note("paused") }
    func requestReceived() { self.note("request") }
    func responseSent(_ status: Status) { self.note("response \(status.rawValue)") }
    func requestRefused(_ error: ParseError) { self.note("error \(error)") }
    func responseFailed(_ failure: WriteError) { self.note("failed") }
    func bytesReceived(_ count: Int) { self.note("bytes") }
    func handshakeFailed(_ failure: HandshakeFailure) { self.note("handshake \(failure.rawValue)") }
    func timedOut(_ wait: TimeoutKind) { self.note("time \(wait.rawValue)") }

    private func note(_ line: String) { self.lines.withLock { $0.append(line) } }
}
