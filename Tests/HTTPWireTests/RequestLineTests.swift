import HTTPWire
import Testing

/// The first line of a request (RFC 9112 §3, §2.3).
@Suite struct RequestLineTests {
    private static let rest = "\r\nHost: a\r\n\r\n"

    static let refused: [Refused] = [
        .init("RFC 9112 §3: two spaces before the target", "GET  / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: two spaces behind the target", "GET /  HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: a blank first", " GET / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: a blank last", "GET / HTTP/1.1 " + rest, .badRequestLine),
        .init("RFC 9112 §3: a tab for a space", "GET\t/ HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: a tab before the version", "GET /\tHTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: a form feed for a space", "GET\u{0C}/ HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: no target", "GET HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: an empty target", "GET  HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: a space in the target", "GET /a b HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §3: only a method", "GET\r\n\r\n", .badRequestLine),
        .init("RFC 9112 §3: HTTP/0.9", "GET /\r\n", .badRequestLine),
        .init("RFC 9110 §9.1: a method that is no token", "G(T / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9110 §9.1: a method with a control byte", "GE\u{01}T / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9110 §9.1: a method beyond ASCII", "G\u{C9}T / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.1: a response", "HTTP/1.1 200 OK\r\n\r\n", .badRequestLine),
        .init("RFC 9112 §2.2: a bare LF behind it", "GET / HTTP/1.1\nHost: a\r\n\r\n", .badLineEnd),
        .init("RFC 9112 §2.2: bare LFs only", "GET / HTTP/1.1\nHost: a\n\n", .badLineEnd),
        .init("RFC 9112 §2.2: a bare CR behind it", "GET / HTTP/1.1\rHost: a\r\n\r\n", .badRequestLine),
        .init("RFC 9112 §2.2: two CRs behind it", "GET / HTTP/1.1\r\r\nHost: a\r\n\r\n", .badRequestLine),
        .init("RFC 9112 §2.2: a bare CR in the target", "GET /\r HTTP/1.1" + rest, .badTarget),
        .init("RFC 9112 §2.2: a LF first", "\nGET / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.2: a CR first", "\rGET / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.2: two empty lines first", "\r\n\r\nGET / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.2: NUL first", "\u{00}GET / HTTP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.2: a byte order mark", "\u{EF}\u{BB}\u{BF}GET / HTTP/1.1" + rest, .badRequestLine),
        .init(
            "RFC 8446 §4.1.2: TLS, told without a line's end", "\u{16}\u{03}\u{01}\u{02}\u{00}\u{01}", .badRequestLine),
        .init("RFC 9112 §2.3: HTTP/2", "GET / HTTP/2.0" + rest, .unknownVersion),
        .init("RFC 9113 §3.4: the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .unknownVersion),
        .init("RFC 9112 §2.3: HTTP/1.2", "GET / HTTP/1.2" + rest, .unknownVersion),
        .init("RFC 9112 §2.3: HTTP/0.9 written out", "GET / HTTP/0.9" + rest, .unknownVersion),
        .init("RFC 9112 §2.3: HTTP/9.9", "GET / HTTP/9.9" + rest, .unknownVersion),
        .init("RFC 9112 §2.3: lower case", "GET / http/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: no minor version", "GET / HTTP/1" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: two digits", "GET / HTTP/1.11" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: a leading zero", "GET / HTTP/01.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: a sign", "GET / HTTP/1.-1" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: a comma", "GET / HTTP/1,1" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: another protocol", "GET / ICAP/1.1" + rest, .badRequestLine),
        .init("RFC 9112 §2.3: rubbish behind it", "GET / HTTP/1.1x" + rest, .badRequestLine),
    ]

    static let taken: [Taken] = [
        .init("RFC 9112 §3: the usual", "GET / HTTP/1.1" + rest, "GET /"),
        .init("RFC 9110 §9.1: a method that nobody knows", "BREW-3 /pot HTTP/1.1" + rest, "BREW-3 /pot"),
        .init("RFC 9110 §9.1: case matters", "get / HTTP/1.1" + rest, "get /"),
        .init("RFC 9110 §9.1: all marks of a token", "!#$%&'*+-.^_`|~ / HTTP/1.1" + rest, "!#$%&'*+-.^_`|~ /"),
        .init("RFC 9112 §2.2: one empty line first", "\r\nGET / HTTP/1.1" + rest, "GET /"),
        .init("RFC 9112 §2.3: HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET /"),
        .init(
            "RFC 9112 §2.2: one empty line between two", "GET /1 HTTP/1.1\(rest)\r\nGET /2 HTTP/1.1\(rest)",
            "GET /1 | GET /2"),
        .init(
            "RFC 9112 §9.3.2: three in a row",
            "GET /1 HTTP/1.1\(rest)HEAD /2 HTTP/1.1\(rest)GET /3 HTTP/1.0\r\n\r\n", "GET /1 | HEAD /2 | GET /3"),
    ]

    @Test(arguments: refused) func `malformed request lines are refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `valid request lines are accepted`(_ line: Taken) { line.check() }

    @Test(arguments: [
        ("GET", Method.get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("PATCH", .patch),
        ("DELETE", .delete), ("OPTIONS", .options), ("TRACE", .trace),
    ]) func `each method is known by its name`(_ text: String, _ method: Method) throws {
        let message = try #require(Transcript(Array(latin1: "\(text) / HTTP/1.1" + Self.rest)).messages.first)
        #expect(message.head.method == method)
    }

    @Test func `each version is known by its number`() {
        let bytes = Array(latin1: "GET / HTTP/1.0\r\n\r\nGET / HTTP/1.1" + Self.rest)
        #expect(Transcript(bytes).messages.map(\.head.version) == [.http10, .http11])
    }
}
