/// The events of one login on their way to one reader: which version it has, and a comment now and then between them.
///
/// Like a held request it is no task, only this object and one deadline of the loop.
import EventLoop
import HTTPServer
import HTTPWire

// Safe because everything that changes is touched on the request's loop only.
final class EventStream: @unchecked Sendable {
    /// The version that the reader has; nil when it has none.
    private(set) var version: Int?
    private let context: RequestContext
    /// Between two comments.
    private let rhythm: Duration
    private var stream: ResponseStream?
    private var comment: Deadline?
    private var isOver = false

    init(_ context: RequestContext, rhythm: Duration) {
        self.context = context
        self.rhythm = rhythm
        // One that is malformed counts as none, as with If-None-Match.
        self.version = context.request.fields[.lastEventID].flatMap { Int($0) }
    }

    var hasBegun: Bool { self.stream != nil }

    /// The head, and when to ask again once the stream has ended.
    func begin(retry milliseconds: Int) {
        guard self.stream == nil, !self.isOver else { return }
        let fields: Fields = [
            .contentType: ServerSentEvent.contentType, .cacheControl: "no-store",
            // nginx passes on at once what is not buffered.
            .xAccelBuffering: "no",
        ]
        let stream = self.context.begin(Response(.ok, fields: fields))
        self.stream = stream
        // To HEAD the head is all.
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

    /// `milliseconds` is when to ask again, where it is not what was said at the beginning.
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

/// What an event stream is made of, as browsers read it (WHATWG HTML §9.2.5).
struct ServerSentEvent: Sendable {
    static let contentType = "text/event-stream"
    /// Means nothing, and shows all between here and the reader that the connection is in use.
    static let comment = Array(":\n\n".utf8)

    /// What the reader sends as Last-Event-ID when it asks again.
    let id: String
    /// Without line ends, as our JSON is.
    let data: [UInt8]

    var bytes: [UInt8] { Array("id: \(self.id)\ndata: ".utf8) + self.data + Array("\n\n".utf8) }

    /// After how many milliseconds the reader shall ask again when the stream ends.
    static func retry(after milliseconds: Int) -> [UInt8] { Array("retry: \(milliseconds)\n\n".utf8) }
}
