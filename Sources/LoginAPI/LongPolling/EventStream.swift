import EventLoop
import HTTPServer
import HTTPWire

// Safe because all mutable state is touched only on the request's loop.
/// Sends the events of one login to one reader, with comments in between. It knows which version the reader has.
///
/// Like a long poll it needs no task, only this object and one deadline of the loop.
final class EventStream: @unchecked Sendable {
    /// The version that the reader has; nil when it has none.
    private(set) var version: Int?
    private let context: RequestContext
    /// The time between two comments.
    private let rhythm: Duration
    private var stream: ResponseStream?
    private var comment: Deadline?
    private var isOver = false

    init(_ context: RequestContext, rhythm: Duration) {
        self.context = context
        self.rhythm = rhythm
        // A malformed value counts as none, as with If-None-Match.
        self.version = context.request.fields[.lastEventID].flatMap { Int($0) }
    }

    var hasBegun: Bool { self.stream != nil }

    /// Sends the head, and how long to wait before reconnecting once the stream has ended.
    func begin(retry milliseconds: Int) {
        guard self.stream == nil, !self.isOver else { return }
        let fields: Fields = [
            .contentType: ServerSentEvent.contentType, .cacheControl: CacheControl.unchanged,
            // Without buffering, nginx passes on each event at once.
            .xAccelBuffering: "no",
        ]
        let stream = self.context.begin(Response(.ok, fields: fields))
        self.stream = stream
        // The response to HEAD is only the head.
        guard !self.context.isHead else { return }
        stream.send(ServerSentEvent.retry(after: milliseconds))
        self.context.reply.onGone { self.stop() }
        self.waitToComment()
    }

    func send(_ version: Int, _ data: [UInt8]) {
        guard !self.isOver else { return }
        self.version = version
        self.stream?.send(ServerSentEvent(id: String(version), data: data).bytes)
    }

    /// `milliseconds` replaces the reconnection time that `begin` sent.
    func end(retry milliseconds: Int? = nil) {
        guard !self.isOver else { return }
        if let milliseconds { self.stream?.send(ServerSentEvent.retry(after: milliseconds)) }
        self.stop()
        self.stream?.end()
    }

    private func waitToComment() {
        guard !self.isOver else { return }
        self.comment = self.context.loop.schedule(after: self.rhythm) {
            self.stream?.send(ServerSentEvent.comment)
            self.waitToComment()
        }
    }

    private func stop() {
        self.isOver = true
        if let comment = self.comment { self.context.loop.cancel(comment) }
        self.comment = nil
    }
}

/// One event of a stream (WHATWG HTML §9.2.5).
struct ServerSentEvent: Sendable {
    static let contentType = "text/event-stream"
    /// It has no meaning. It shows every proxy up to the reader that the connection is in use.
    static let comment = Array(":\n\n".utf8)

    /// The reader sends it as Last-Event-ID when it reconnects.
    let id: String
    /// Without line ends, like all our JSON.
    let data: [UInt8]

    var bytes: [UInt8] { Array("id: \(self.id)\ndata: ".utf8) + self.data + Array("\n\n".utf8) }

    /// Tells the reader how many milliseconds to wait before it reconnects.
    static func retry(after milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}

/// The value of `Cache-Control` for what changes while a client waits, and only that client may have.
enum CacheControl {
    /// Nobody stores it, and no proxy compresses it (RFC 9111 §5.2.2.6): some change the `ETag` then, or delay events.
    /// Few proxies obey, so nothing relies on it.
    static let unchanged = "no-store, no-transform"
}
