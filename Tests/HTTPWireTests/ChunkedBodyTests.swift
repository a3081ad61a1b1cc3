import HTTPWire
import Testing

/// Bodies in chunks (RFC 9112 §7.1).
@Suite struct ChunkedBodyTests {
    private static let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func refuses(
        _ name: String, _ body: String, _ error: ParseError = .badChunk,
        _ change: (inout RequestParser.Limits) -> Void = { _ in }
    ) -> Refused {
        Refused(name, Self.head + body, error, change)
    }

    private static func takes(_ name: String, _ body: String, _ content: String) -> Taken {
        Taken(name, Self.head + body, "POST /" + (content.isEmpty ? "" : " \(content)"))
    }

    static let refused: [Refused] = [
        refuses("RFC 9112 §7.1: no size", "\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a size of no digits", "x\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a size with 0x", "0x5\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a negative size", "-5\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a signed size", "+5\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a blank before the size", " 5\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a blank behind the size", "5 \r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: an underscore in the size", "1_0\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a size of sixteen digits", "0000000000000005\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a size beyond 64 bits", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: more data than promised", "4\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: less data than promised", "7\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1: no line end behind data", "5\r\nhello0\r\n\r\n"),
        refuses("RFC 9112 §7.1: a bare CR behind data", "5\r\nhello\r0\r\n\r\n"),
        refuses("RFC 9112 §7.1: rubbish behind data", "5\r\nhelloXX0\r\n\r\n"),
        refuses("RFC 9112 §2.2: a bare LF behind the size", "5\nhello\r\n0\r\n\r\n", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare LF behind data", "5\r\nhello\n0\r\n\r\n", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare LF behind the last chunk", "0\n\r\n", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare LF as the end", "0\r\n\n", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare CR in the size line", "5\r5\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: an extension without a name", "5;\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: an extension without a value", "5;a=\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: an extension without a semicolon", "5 a=b\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: blanks before the semicolon", "5 ;a=b\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: blanks behind the semicolon", "5; a=b\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: an open quote", "5;a=\"b\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: text behind a quote", "5;a=\"b\"c\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: a control byte", "5;a=\u{01}\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: a bare CR", "5;a\rb\r\nhello\r\n0\r\n\r\n"),
        refuses("RFC 9112 §7.1.1: a bare LF", "5;a\nb\r\nhello\r\n0\r\n\r\n", .badLineEnd),
        refuses(
            "RFC 9112 §7.1.1: one long extension", "5;\(String(repeating: "a", count: 5000))\r\nhello\r\n0\r\n\r\n",
            .chunkExtensionsTooLong),
        refuses(
            "RFC 9112 §7.1.1: a long extension without an end", "5;\(String(repeating: "a", count: 5000))",
            .chunkExtensionsTooLong),
        refuses(
            "RFC 9112 §7.1.1: many extensions",
            String(repeating: "1;\(String(repeating: "a", count: 99))\r\nx\r\n", count: 50) + "0\r\n\r\n",
            .chunkExtensionsTooLong),
        refuses("RFC 9112 §7.1.2: a trailer without a colon", "0\r\nX\r\n\r\n", .badFieldName),
        refuses("RFC 9112 §7.1.2: a blank before the colon", "0\r\nX : y\r\n\r\n", .badFieldName),
        refuses("RFC 9112 §7.1.2: a folded trailer", "0\r\nX: y\r\n z\r\n\r\n", .foldedLine),
        refuses("RFC 9112 §7.1.2: a control byte in a trailer", "0\r\nX: \u{00}\r\n\r\n", .badFieldValue),
        refuses("RFC 9112 §7.1.2: a request for a trailer", "0\r\nGET / HTTP/1.1\r\n\r\n", .badFieldName),
        refuses("RFC 9112 §7.1.2: a bare LF in a trailer", "0\r\nX: y\n\r\n", .badLineEnd),
        refuses("RFC 6585 §5: long trailers", "0\r\nX: \(String(repeating: "y", count: 200))", .headTooLarge) {
            $0.head = 100
        },
        refuses("RFC 6585 §5: many trailers", "0\r\n" + String(repeating: "X: y\r\n", count: 11), .tooManyFields) {
            $0.fields = 10
        },
        refuses("RFC 9110 §15.5.14: one chunk too large", "b\r\n", .bodyTooLarge) { $0.body = 10 },
        refuses("RFC 9110 §15.5.14: chunks too large together", "5\r\nhello\r\n6\r\n", .bodyTooLarge) { $0.body = 10 },
        refuses("RFC 9110 §15.5.14: a very large chunk", "fffffffffffffff\r\n", .bodyTooLarge),
    ]

    static let taken: [Taken] = [
        takes("RFC 9112 §7.1: two chunks", "2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n", "hello"),
        takes("RFC 9112 §7.1: nothing", "0\r\n\r\n", ""),
        takes("RFC 9112 §7.1: capital digits", "A\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        takes("RFC 9112 §7.1: small digits", "a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
        takes("RFC 9112 §7.1: leading zeros", "005\r\nhello\r\n000\r\n\r\n", "hello"),
        takes("RFC 9112 §7.1: line ends as data", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n"),
        takes("RFC 9112 §7.1: data that looks like the end", "5\r\n0\r\n\r\n\r\n0\r\n\r\n", "0\r\n\r\n"),
        takes("RFC 9112 §7.1.1: an extension", "5;a=b\r\nhello\r\n0\r\n\r\n", "hello"),
        takes("RFC 9112 §7.1.1: extensions", "5;a;b=\"c;\\\"d\";e=f\r\nhello\r\n0;z\r\n\r\n", "hello"),
        takes("RFC 9112 §7.1.2: a trailer", "5\r\nhello\r\n0\r\nX: y\r\n\r\n", "hello"),
        takes("RFC 9110 §6.5.1: trailers that would be framing", "0\r\nContent-Length: 5\r\nHost: b\r\n\r\n", ""),
        takes(
            "RFC 9112 §7.1: many small chunks", String(repeating: "1\r\nx\r\n", count: 300) + "0\r\n\r\n",
            String(repeating: "x", count: 300)),
    ]

    @Test(arguments: refused) func `malformed chunks are refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `valid chunks are accepted`(_ line: Taken) { line.check() }

    @Test func `trailers are dropped`() throws {
        let bytes = Array(latin1: Self.head + "0\r\nAuthorization: Bearer x\r\n\r\n")
        let message = try #require(Transcript(bytes).messages.first)
        #expect(message.isWhole)
        #expect(message.head.fields[.authorization] == nil)
    }

    @Test func `many chunks that came together are one piece`() throws {
        var parser = RequestParser()
        parser.feed(Self.head + String(repeating: "1\r\nx\r\n", count: 500) + "0\r\n\r\n")
        guard case .head = try parser.next() else { Issue.record("no head"); return }
        #expect(try parser.next() == .body(Array(repeating: UInt8(ascii: "x"), count: 500)))
        #expect(try parser.next() == .end)
        #expect(try parser.next() == .needsBytes)
    }
}
