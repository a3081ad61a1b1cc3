import HTTPWire
import ResponseParsing
import Testing

/// The client's half (RFC 9112 §4, §6.3, §8).
@Suite struct ResponseParserTests {
    struct Line: Sendable, CustomTestStringConvertible {
        let name: String
        let text: String
        let error: ResponseParseError

        init(_ name: String, _ text: String, _ error: ResponseParseError) {
            self.name = name
            self.text = text
            self.error = error
        }

        var testDescription: String { "\(self.name): \(self.error)" }
    }

    static let refused: [Line] = [
        Line("RFC 9112 §4: no reason, nor the space before it", "HTTP/1.1 200\r\n\r\n", .badStatusLine),
        Line("RFC 9112 §4: two digits", "HTTP/1.1 20 OK\r\n\r\n", .badStatusLine),
        Line("RFC 9112 §4: four digits", "HTTP/1.1 2000 OK\r\n\r\n", .badStatusLine),
        Line("RFC 9110 §15: a code below 100", "HTTP/1.1 099 No\r\n\r\n", .badStatusLine),
        Line("RFC 9110 §15: a code above 599", "HTTP/1.1 600 No\r\n\r\n", .badStatusLine),
        Line("RFC 9112 §4: two spaces", "HTTP/1.1  200 OK\r\n\r\n", .badStatusLine),
        Line("RFC 9112 §4: a control byte in the reason", "HTTP/1.1 200 O\u{07}K\r\n\r\n", .badStatusLine),
        Line("RFC 9112 §4: a request", "GET / HTTP/1.1\r\n\r\n", .badStatusLine),
        Line("RFC 9112 §2.3: another version", "HTTP/2.0 200 OK\r\n\r\n", .malformed(.unknownVersion)),
        Line("RFC 9112 §2.2: a bare LF", "HTTP/1.1 200 OK\n\n", .malformed(.badLineEnd)),
        Line(
            "RFC 9112 §6.3: two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
            .malformed(.ambiguousFraming)),
        Line("RFC 9112 §8: a head cut off", "HTTP/1.1 200 OK\r\nContent-Le", .cutOff),
        Line("RFC 9112 §8: a body cut off", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", .cutOff),
        Line(
            "RFC 9112 §8: chunks cut off", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n", .cutOff),
        Line("RFC 9112 §8: a status line cut off", "HTTP/1.1 20", .cutOff),
    ]

    /// Status and body of each response, or the error.
    private static func read(
        _ text: String, to method: Method = .get, piecesOf size: Int = .max
    ) -> (responses: [String], error: ResponseParseError?) {
        var parser = ResponseParser(to: method)
        var responses: [String] = []
        var rest = Array(latin1: text)[...]
        do throws(ResponseParseError) {
            repeat {
                parser.feed(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                if rest.isEmpty { parser.finish() }
                reading: while true {
                    switch try parser.next() {
                    case .needsBytes: break reading
                    case .head(let head): responses.append("\(head.status.rawValue) ")
                    case .body(let bytes): responses[responses.count - 1] += String(decoding: bytes, as: UTF8.self)
                    case .end: responses[responses.count - 1] += "."
                    }
                }
            } while !rest.isEmpty
        } catch {
            return (responses, error)
        }
        return (responses, nil)
    }

    @Test(arguments: refused) func `malformed responses are refused`(_ line: Line) {
        for size in [Int.max, 1, 3] {
            #expect(Self.read(line.text, piecesOf: size).error == line.error, "pieces of \(size)")
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", ["200 hello."]),
        ("HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", ["200 ."]),
        ("HTTP/1.0 200 OK\r\n\r\nuntil the end", ["200 until the end."]),
        ("HTTP/1.1 200 OK\r\n\r\n", ["200 ."]),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", ["200 hello."]),
        ("HTTP/1.1 204 No Content\r\n\r\n", ["204 ."]),
        ("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", ["304 ."]),
        ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", ["100 .", "200 hi."]),
        ("HTTP/1.1 404 Nicht gefunden\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n\r\n", ["404 x.", "200 ."]),
        ("", []),
    ]) func `responses are read in pieces of any size`(_ text: String, _ responses: [String]) {
        for size in [Int.max, 1, 3] {
            let read = Self.read(text, piecesOf: size)
            #expect(read.responses == responses)
            #expect(read.error == nil)
        }
    }

    @Test func `the response to HEAD has no body`() {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\n"
        #expect(Self.read(text, to: .head).responses == ["200 .", "200 ."])
    }
}
