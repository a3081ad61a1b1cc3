import HTTPWire
import Testing

/// Where the body of a request ends (RFC 9112 §6).
@Suite struct BodyFramingTests {
    private static func request(_ fields: String, _ body: String = "", _ version: String = "1.1") -> String {
        "POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n\r\n\(body)"
    }

    private static func refuses(
        _ name: String, _ fields: String, _ error: ParseError, _ version: String = "1.1"
    ) -> Refused {
        Refused(name, Self.request(fields, "", version), error)
    }

    static let refused: [Refused] = [
        refuses("RFC 9110 §8.6: a sign", "Content-Length: +5", .badContentLength),
        refuses("RFC 9110 §8.6: a negative length", "Content-Length: -1", .badContentLength),
        refuses("RFC 9110 §8.6: hexadecimal", "Content-Length: 0x5", .badContentLength),
        refuses("RFC 9110 §8.6: a point", "Content-Length: 5.0", .badContentLength),
        refuses("RFC 9110 §8.6: an exponent", "Content-Length: 1e1", .badContentLength),
        refuses("RFC 9110 §8.6: a blank within", "Content-Length: 1 0", .badContentLength),
        refuses("RFC 9110 §8.6: empty", "Content-Length:", .badContentLength),
        refuses("RFC 9110 §8.6: text", "Content-Length: five", .badContentLength),
        refuses("RFC 9110 §8.6: digits of another script", "Content-Length: \u{D9}\u{A5}", .badContentLength),
        refuses("RFC 9110 §8.6: a list of one length", "Content-Length: 5, 5", .badContentLength),
        refuses("RFC 9110 §8.6: a list of two lengths", "Content-Length: 5,6", .badContentLength),
        refuses("RFC 9110 §8.6: an underscore", "Content-Length: 1_0", .badContentLength),
        refuses("RFC 9112 §6.3: two lengths", "Content-Length: 5\r\nContent-Length: 6", .ambiguousFraming),
        refuses("RFC 9112 §6.3: two equal lengths", "Content-Length: 5\r\ncontent-length: 5", .ambiguousFraming),
        refuses(
            "RFC 9112 §6.1: length and chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked", .ambiguousFraming),
        refuses(
            "RFC 9112 §6.1: chunked and length", "Transfer-Encoding: chunked\r\nContent-Length: 5", .ambiguousFraming),
        refuses(
            "RFC 9112 §6.1: a length beside an unknown coding", "Transfer-Encoding: x\r\nContent-Length: 5",
            .ambiguousFraming),
        refuses(
            "RFC 9112 §6.1: a length of zero beside chunked", "Content-Length: 0\r\nTransfer-Encoding: chunked",
            .ambiguousFraming),
        refuses("RFC 9112 §6.1: chunked in HTTP/1.0", "Transfer-Encoding: chunked", .ambiguousFraming, "1.0"),
        refuses("RFC 9112 §6.1: a coding in HTTP/1.0", "Transfer-Encoding: gzip", .ambiguousFraming, "1.0"),
        refuses("RFC 9112 §6.3: gzip", "Transfer-Encoding: gzip", .ambiguousFraming),
        refuses("RFC 9112 §6.1: gzip, then chunked", "Transfer-Encoding: gzip, chunked", .unknownTransferCoding),
        refuses("RFC 9112 §6.3: identity", "Transfer-Encoding: identity", .ambiguousFraming),
        refuses("RFC 9112 §6.3: nearly chunked", "Transfer-Encoding: xchunked", .ambiguousFraming),
        refuses("RFC 9112 §6.3: a quoted coding", "Transfer-Encoding: \"chunked\"", .ambiguousFraming),
        refuses("RFC 9112 §6.3: a parameter", "Transfer-Encoding: chunked;q=1", .ambiguousFraming),
        refuses(
            "RFC 9112 §6.1: in two fields", "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
            .unknownTransferCoding),
        refuses("RFC 9112 §6.1: chunked twice", "Transfer-Encoding: chunked, chunked", .ambiguousFraming),
        refuses(
            "RFC 9112 §6.1: chunked in two fields", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
            .ambiguousFraming),
        refuses("RFC 9112 §6.1: chunked, but not last", "Transfer-Encoding: chunked, identity", .ambiguousFraming),
        refuses("RFC 9112 §6.1: no coding", "Transfer-Encoding:", .badTransferEncoding),
        refuses("RFC 9112 §6.1: an empty element", "Transfer-Encoding: chunked,", .badTransferEncoding),
        refuses("RFC 9112 §6.1: an empty element first", "Transfer-Encoding: ,chunked", .badTransferEncoding),
        refuses("RFC 9110 §5.5: a vertical tab", "Transfer-Encoding: \u{0B}chunked", .badFieldValue),
        refuses("RFC 9112 §5.1: a blank before the colon", "Transfer-Encoding : chunked", .badFieldName),
    ]

    static let taken: [Taken] = [
        Taken("RFC 9112 §6.3: no length is no body", request("X: y"), "POST /"),
        Taken("RFC 9112 §6.2: a length", request("Content-Length: 5", "hello"), "POST / hello"),
        Taken("RFC 9112 §6.2: a length of zero", request("Content-Length: 0"), "POST /"),
        Taken("RFC 9110 §8.6: leading zeros", request("Content-Length: 0005", "hello"), "POST / hello"),
        Taken("RFC 9110 §8.6: blanks around it", request("Content-Length:  5\t", "hello"), "POST / hello"),
        Taken("RFC 9112 §6.2: in HTTP/1.0", request("Content-Length: 5", "hello", "1.0"), "POST / hello"),
        Taken(
            "RFC 9112 §6.2: line ends in a body", request("Content-Length: 6", "\r\n\r\n\r\n"), "POST / \r\n\r\n\r\n"),
        Taken(
            "RFC 9112 §6.2: a body that looks like a request", request("Content-Length: 9", "GET / HTT"),
            "POST / GET / HTT"),
        Taken(
            "RFC 9110 §9.3.1: GET with a body", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi", "GET / hi"),
        Taken(
            "RFC 9112 §7.1: chunked", request("Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"), "POST / hello"),
        Taken("RFC 9112 §7: case does not matter", request("transfer-encoding: CHUNKED", "0\r\n\r\n"), "POST /"),
        Taken("RFC 9112 §7: blanks around it", request("Transfer-Encoding: \tchunked ", "0\r\n\r\n"), "POST /"),
    ]

    @Test(arguments: refused) func `malformed framing is refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `valid framing is accepted`(_ line: Taken) { line.check() }

    @Test(arguments: [
        ("X: y", BodyFraming.none), ("Content-Length: 0", .length(0)), ("Content-Length: 7", .length(7)),
        ("Transfer-Encoding: chunked", .chunked),
    ]) func `the head says how its body is framed`(_ fields: String, _ framing: BodyFraming) throws {
        let head = try #require(Transcript(Array(latin1: Self.request(fields))).messages.first?.head)
        #expect(head.framing == framing)
    }
}
