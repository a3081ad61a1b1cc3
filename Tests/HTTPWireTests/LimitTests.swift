import HTTPWire
import Testing

/// How large a request may be (RFC 9110 §15.5.14 and §15.5.15, RFC 6585 §5).
@Suite struct LimitTests {
    private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func limit(head: Int = 200, body: Int = 10, fields: Int = 5, target: Int = 50)
        -> (inout RequestParser.Limits) -> Void
    {
        {
            $0.head = head
            $0.body = body
            $0.fields = fields
            $0.target = target
        }
    }

    /// A head of 26 bytes plus its target and fields.
    private static func head(_ target: String, _ fields: String = "") -> String {
        "GET \(target) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    static let refused: [Refused] = [
        .init("RFC 9110 §15.5.15: a target one too long", head("/" + text(50)), .targetTooLong, limit()),
        .init("RFC 9110 §15.5.15: a line longer than a head", head("/" + text(300)), .targetTooLong, limit()),
        .init("RFC 9110 §15.5.15: a line without an end", "GET /" + text(300), .targetTooLong, limit()),
        .init("RFC 9110 §15.5.15: a method without an end", text(300), .targetTooLong, limit()),
        .init("RFC 6585 §5: a head one too large", head("/", "X: \(text(200 - 32 + 1))\r\n"), .headTooLarge, limit()),
        .init("RFC 6585 §5: a field without an end", "GET / HTTP/1.1\r\nX: " + text(300), .headTooLarge, limit()),
        .init("RFC 6585 §5: a name without an end", "GET / HTTP/1.1\r\n" + text(300), .headTooLarge, limit()),
        .init(
            "RFC 6585 §5: many short fields", head("/", String(repeating: "X:\r\n", count: 50)), .headTooLarge,
            limit(fields: 99)),
        .init(
            "RFC 6585 §5: one field too many", head("/", String(repeating: "X:\r\n", count: 5)), .tooManyFields, limit()
        ),
        .init(
            "RFC 9110 §15.5.14: a body one too long", head("/", "Content-Length: 11\r\n"), .bodyTooLarge, limit()),
        .init(
            "RFC 9110 §15.5.14: a length beyond 64 bits", head("/", "Content-Length: 18446744073709551621\r\n"),
            .bodyTooLarge, limit()),
        .init(
            "RFC 9110 §15.5.14: a length just beyond Int", head("/", "Content-Length: 9223372036854775808\r\n"),
            .bodyTooLarge, limit()),
        .init(
            "RFC 9110 §15.5.14: a length of eighty digits",
            head("/", "Content-Length: \(String(repeating: "9", count: 80))\r\n"), .bodyTooLarge, limit()),
    ]

    static let taken: [Taken] = [
        .init("RFC 9110 §15.5.15: the longest target", head("/" + text(49)), "GET /" + text(49), limit()),
        .init("RFC 6585 §5: the largest head", head("/", "X: \(text(200 - 32))\r\n"), "GET /", limit()),
        .init(
            "RFC 6585 §5: the most fields", head("/", String(repeating: "X:\r\n", count: 4)), "GET /", limit()),
        .init(
            "RFC 9110 §15.5.14: the longest body", head("/", "Content-Length: 10\r\n") + text(10), "GET / " + text(10),
            limit()),
    ]

    @Test(arguments: refused) func `what is beyond a limit is refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `what is within the limits is accepted`(_ line: Taken) { line.check() }

    /// The limit is exact to the byte, whatever is in the head.
    @Test(arguments: [64, 100, 257]) func `the head is counted to the byte`(limit: Int) {
        var limits = RequestParser.Limits()
        limits.head = limit
        for size in (limit - 3)...(limit + 3) {
            let start = Self.head("/", "X: ").dropLast(2)
            let head = start + Self.text(size - start.utf8.count - 4) + "\r\n\r\n"
            let bytes = Array(latin1: String(head))
            #expect(bytes.count == size)
            #expect(Transcript(bytes, limits: limits).error == (size > limit ? .headTooLarge : nil), "\(size)")
            #expect(Transcript(bytes, piecesOf: 1, limits: limits) == Transcript(bytes, limits: limits), "\(size)")
        }
    }

    @Test func `the bytes of a slow sender are not searched twice`() {
        // 32 KB arrive one byte at a time. Searching all of them each time would read half a thousand million bytes.
        var limits = RequestParser.Limits()
        limits.head = 64 * 1024
        let bytes = Array(latin1: "GET / HTTP/1.1\r\nHost: a\r\nX: " + Self.text(32 * 1024) + "\r\n\r\n")
        let time = ContinuousClock().measure {
            #expect(Transcript(bytes, piecesOf: 1, limits: limits).error == nil)
        }
        #expect(time < .seconds(5))
    }
}
