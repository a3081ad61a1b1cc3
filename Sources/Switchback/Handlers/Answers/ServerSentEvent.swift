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
