import HTTPWire
import ResponseParsing
import Testing

/// What we write, and what we refuse to write (RFC 9112 §4 to §6, RFC 9110 §5.5, §6.4.1, §8.6, §9.3.2).
@Suite struct MessageWriterTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private static func written(_ response: Response, by writer: MessageWriter) throws -> String {
        var bytes: [UInt8] = []
        try writer.write(response, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `a response is written whole`() throws {
        let response = Response(.ok, fields: [.contentType: "text/plain", "x-other": "æ"], body: Array("hello".utf8))
        let expected = """
            HTTP/1.1 200 OK\r
            Date: \(Self.date)\r
            Content-Length: 5\r
            Content-Type: text/plain\r
            x-other: æ\r
            \r
            hello
            """
        #expect(try Self.written(response, by: MessageWriter(to: .get, date: Self.date)) == expected)
    }

    /// Method, version, whether the connection stays open, and status; then the end of the head and the body if there
    /// is one.
    @Test(arguments: [
        ("GET", Version.http11, true, 200, "Content-Length: 2\r\n\r\nhi"),
        ("GET", .http11, false, 200, "Content-Length: 2\r\nConnection: close\r\n\r\nhi"),
        ("GET", .http10, true, 200, "Content-Length: 2\r\nConnection: keep-alive\r\n\r\nhi"),
        ("GET", .http10, false, 200, "Content-Length: 2\r\nConnection: close\r\n\r\nhi"),
        ("HEAD", .http11, true, 200, "Content-Length: 2\r\n\r\n"),
        ("HEAD", .http11, true, 404, "Content-Length: 2\r\n\r\n"),
        ("GET", .http11, true, 204, "HTTP/1.1 204 No Content\r\n\r\n"),
        ("DELETE", .http11, false, 204, "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
        ("GET", .http11, true, 304, "HTTP/1.1 304 Not Modified\r\n\r\n"),
        ("HEAD", .http11, true, 304, "HTTP/1.1 304 Not Modified\r\n\r\n"),
        ("GET", .http11, true, 100, "HTTP/1.1 100 Continue\r\n\r\n"),
        ("POST", .http11, true, 500, "Content-Length: 2\r\n\r\nhi"),
        ("GET", .http11, true, 599, "HTTP/1.1 599 \r\nContent-Length: 2\r\n\r\nhi"),
    ]) func `a response ends as its request needs`(
        _ method: String, _ version: Version, _ stays: Bool, _ status: Int, _ end: String
    ) throws {
        let writer = MessageWriter(to: Method(rawValue: method), version: version, keepsAlive: stays)
        let response = Response(Status(rawValue: status), body: Array("hi".utf8))
        #expect(try Self.written(response, by: writer).hasSuffix(end))
    }

    @Test func `an empty body has a length`() throws {
        let text = try Self.written(Response(.ok), by: MessageWriter(to: .get))
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `what belongs to the connection is not for responses to say`() throws {
        let fields: Fields = [
            .contentLength: "99", .transferEncoding: "chunked", .connection: "upgrade", .date: "never", .etag: "\"a\"",
        ]
        let text = try Self.written(Response(.ok, fields: fields), by: MessageWriter(to: .get))
        #expect(text == "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nETag: \"a\"\r\n\r\n")
    }

    @Test(arguments: [
        "a\r\nX: b", "a\rb", "a\nb", "a\u{0}b", "\r\n\r\n", "a\u{7F}", "\u{1B}", "0123456789\n0123456789",
    ])
    func `a value with control characters cannot be written`(_ value: String) {
        var bytes = Array("before".utf8)
        for name in [FieldName.location, "x-own"] {
            #expect(throws: WriteError.badFieldValue(name)) {
                try MessageWriter(to: .get).write(Response(.ok, fields: [.etag: "\"a\"", name: value]), into: &bytes)
            }
        }
        #expect(throws: WriteError.badFieldValue(.date)) {
            try MessageWriter(to: .get, date: value).write(Response(.ok), into: &bytes)
        }
        #expect(bytes == Array("before".utf8), "nothing of it was written")
    }

    @Test(arguments: [-1, 0, 99, 600, 1000]) func `a status that is none cannot be written`(_ code: Int) {
        var bytes: [UInt8] = []
        #expect(throws: WriteError.badStatus(code)) {
            try MessageWriter(to: .get).write(Response(Status(rawValue: code)), into: &bytes)
        }
        #expect(bytes.isEmpty)
    }

    @Test func `a HEAD is answered as it asks`() throws {
        var parser = RequestParser()
        parser.feed("HEAD / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        guard case .head(let head) = try parser.next() else { Issue.record("no head"); return }
        let response = Response(.ok, body: [1, 2, 3])
        let end = "Content-Length: 3\r\nConnection: keep-alive\r\n\r\n"
        #expect(try Self.written(response, by: MessageWriter(to: head)).hasSuffix(end))
        #expect(try Self.written(response, by: MessageWriter(to: head, keepsAlive: false)).contains("close"))
    }

    @Test func `the go-ahead is written alone`() {
        var bytes: [UInt8] = []
        MessageWriter.writeContinue(into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "HTTP/1.1 100 Continue\r\n\r\n")
    }

    @Test func `what is written can be read again`() throws {
        for status in 100...599 {
            for method in [Method.get, .head] {
                let response = Response(Status(rawValue: status), fields: [.etag: "\"a\""], body: Array("hello".utf8))
                var bytes: [UInt8] = []
                try MessageWriter(to: method).write(response, into: &bytes)
                var parser = ResponseParser(to: method)
                parser.feed(bytes)
                guard case .head(let head) = try parser.next() else { Issue.record("no head"); return }
                #expect(head.status.rawValue == status)
                #expect(head.fields[.etag] == "\"a\"")
                if head.status.allowsBody, method == .get { #expect(try parser.next() == .body(response.body)) }
                #expect(try parser.next() == .end)
                #expect(try parser.next() == .needsBytes)
            }
        }
    }

    @Test func `a request can be read too`() throws {
        let fields: Fields = [.host: "a", .connection: "close"]
        let request = try #require(Request(.post, "/a?b=c", fields: fields, body: Array("hello".utf8)))
        var bytes: [UInt8] = []
        try MessageWriter.write(request, into: &bytes)
        let transcript = Transcript(bytes)
        #expect(transcript.description == "POST /a?b=c hello")
        #expect(transcript.messages.first?.head.keepsAlive == false)
        let method = Method(rawValue: "GET / HTTP/1.1\r\nX:")
        #expect(throws: WriteError.badMethod(method)) {
            try MessageWriter.write(#require(Request(method, "/")), into: &bytes)
        }
        #expect(throws: WriteError.badFieldValue(.host)) {
            try MessageWriter.write(#require(Request(.get, "/", fields: [.host: "a\r\nb"])), into: &bytes)
        }
    }
}
