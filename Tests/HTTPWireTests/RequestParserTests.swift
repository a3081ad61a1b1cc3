import HTTPWire
import Testing

/// The parser as a state machine: what it keeps, when it releases memory, and the order of its events.
@Suite struct RequestParserTests {
    private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test func `the parser says its events in order`() throws {
        var parser = RequestParser()
        #expect(try parser.next() == .needsBytes)
        parser.feed("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhel")
        guard case .head(let head) = try parser.next() else { Issue.record("no head"); return }
        #expect(head.method == .post)
        #expect(head.target.path == "/a")
        #expect(try parser.next() == .body(Array("hel".utf8)))
        #expect(try parser.next() == .needsBytes)
        parser.feed("lo")
        #expect(try parser.next() == .body(Array("lo".utf8)))
        #expect(try parser.next() == .end)
        #expect(try parser.next() == .needsBytes)
    }

    @Test func `the parser knows whether it is between two requests`() throws {
        var parser = RequestParser()
        #expect(parser.isIdle)
        parser.feed("G")
        _ = try parser.next()
        #expect(!parser.isIdle)
        parser.feed(String(Self.get.dropFirst()))
        _ = try parser.next()
        #expect(!parser.isIdle)
        #expect(try parser.next() == .end)
        #expect(parser.isIdle)
    }

    @Test func `bytes that are not read yet are counted`() throws {
        var parser = RequestParser()
        parser.feed(Self.get + Self.get)
        #expect(parser.unread == 2 * Self.get.utf8.count)
        _ = try parser.next()
        #expect(parser.unread == Self.get.utf8.count)
        _ = try parser.next()
        _ = try parser.next()
        #expect(parser.unread == 0)
    }

    @Test func `nothing is read ahead of the request that is answered`() throws {
        var parser = RequestParser()
        parser.feed(Self.get + "rubbish\r\n")
        _ = try parser.next()
        #expect(try parser.next() == .end)
        #expect(throws: ParseError.badRequestLine) { try parser.next() }
    }

    @Test func `the parser reads bytes from a buffer`() throws {
        var parser = RequestParser()
        Array(Self.get.utf8).withUnsafeBytes { parser.feed($0) }
        UnsafeRawBufferPointer(start: nil, count: 0).withMemoryRebound(to: UInt8.self) {
            parser.feed(UnsafeRawBufferPointer($0))
        }
        guard case .head = try parser.next() else { Issue.record("no head"); return }
    }

    @Test func `a thousand requests in one feed are read`() throws {
        let bytes = Array(String(repeating: Self.get, count: 1000).utf8)
        for size in [Int.max, 17, 1000] {
            let transcript = Transcript(bytes, piecesOf: size)
            #expect(transcript.messages.count == 1000)
            #expect(transcript.error == nil)
        }
    }

    /// A server responds to one request before it takes the next from the parser, while more bytes arrive.
    @Test func `bytes may come between two events`() throws {
        let bytes = Array(String(repeating: Self.get, count: 20).utf8)
        var parser = RequestParser()
        var ends = 0
        for byte in bytes {
            parser.feed([byte])
            if try parser.next() == .end { ends += 1 }
        }
        while true {
            let event = try parser.next()
            if event == .end { ends += 1 }
            if event == .needsBytes { break }
        }
        #expect(ends == 20)
    }

    /// A refused request leaves what is known of it, so that a browser can get a page.
    @Test(
        arguments: [
            ("GET /go/x HTTP/1.1\r\nHost: a\r\nAccept: b\r\nX : y\r\n", "/go/x", "b"),
            ("GET /go/x HTTP/1.1\r\nAccept: b\r\n\r\n", "/go/x", "b"),
            ("GET /go/x HTTP/1.1\r\nX : y\r\nAccept: b\r\n", "/go/x", nil),
            ("GET /go/\(long(9000)) HTTP/1.1\r\nHost: a\r\nAccept: b\r\n\r\n", "/go/aaaaaaaaaaaa", "b"),
            ("GET /go/x?\(long(9000)) HTTP/1.1\r\nHost: a\r\nAccept: b\r\nX : y\r\n", "/go/x", "b"),
            ("GET /v1/%41\(long(9000)) HTTP/1.1\r\n", "/v1/", nil),
            ("GET /v1/\(long(20_000))", "/v1/aaaaaaaaaaaa", nil),
            ("GET /v1/\(long(20_000)) HTTP/1.1\r\nAccept: b\r\n\r\n", "/v1/aaaaaaaaaaaa", nil),
            ("\(long(20_000)) / HTTP/1.1\r\n", nil, nil), ("GET \(long(9000)) HTTP/1.1\r\n", nil, nil),
            ("GET\r\n", nil, nil), ("GET / HTTP/2.0\r\nAccept: b\r\n\r\n", nil, nil),
        ] as [(String, String?, String?)]) func `a refused request leaves its head`(
            _ text: String, _ path: String?, _ accept: String?
        )
    {
        var parser = RequestParser()
        parser.feed("\(Self.get)\(text)")
        while (try? parser.next()).map({ $0 != .needsBytes }) ?? false {}
        #expect(parser.refused?.target.path == path)
        #expect(parser.refused?.fields[.accept] == accept)
    }

    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    /// The first bytes of a connection are enough, if they contain a whole head.
    @Test(arguments: [
        ("GET /go/x HTTP/1.1\r\nHost: a\r\n\r\nbody", "/go/x"), ("GET /go/x HTTP/1.1\r\nX : y\r\n", "/go/x"),
        ("GET /go/x HTTP/1.1\r\nHost: a\r\n", nil), ("", nil), ("\u{16}\u{3}\u{1}", nil),
    ]) func `the head is found in the first bytes`(_ text: String, _ path: String?) {
        let head = Array(text.utf8).withUnsafeBytes { RequestParser.head(in: $0) }
        #expect(head?.target.path == path)
    }

    @Test func `a head has all its fields in order`() throws {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nX-One: 1\r\naccept: b\r\nX-One: 2\r\n\r\n"
        let head = try #require(Transcript(Array(text.utf8)).messages.first?.head)
        #expect(head.fields == ["host": "a", "x-one": "1", .accept: "b", "x-one": "2"])
    }
}
