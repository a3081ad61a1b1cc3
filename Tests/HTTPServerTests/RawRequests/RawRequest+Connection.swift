// What happens to the connection (RFC 9112 §9), to expectations (RFC 9110 §10.1.1), and to requests for another
// protocol (RFC 9110 §7.8, RFC 9931).

extension RawRequest {
    private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    private static func old(_ name: String, _ fields: String, _ answer: RawAnswer) -> RawRequest {
        RawRequest("9112 §9.3", name, "GET / HTTP/1.0\r\nHost: a\r\n\(fields)\r\n\r\n", answer)
    }

    static let connection: [RawRequest] = [
        get("9112 §9.6", "close", "Connection: close", .last("GET /")),
        get("9110 §7.6.1", "Close: case does not matter", "Connection: Close", .last("GET /")),
        get("9110 §7.6.1", "close in a list", "Connection: keep-alive, close", .last("GET /")),
        get("9110 §7.6.1", "close in the second field", "Connection: keep-alive\r\nConnection: close", .last("GET /")),
        get("9110 §7.6.1", "close among empty elements", "Connection: ,, close ,", .last("GET /")),
        get("9110 §7.6.1", "an accent on the comma behind close", "Connection: close,\u{CC}\u{81}x", .last("GET /")),
        get("9110 §7.6.1", "nearly close", "Connection: closed", .taken("GET /")),
        get("9110 §7.6.1", "an option that nobody knows", "Connection: X-Cow", .taken("GET /")),
        get("9110 §7.6.1", "an empty field", "Connection:", .taken("GET /")),
        get("9112 §9.3", "keep-alive", "Connection: keep-alive\r\nKeep-Alive: timeout=5", .taken("GET /")),
        get("9110 §7.6.1", "the host as an option", "Connection: Host", .taken("GET /")),
        get("9112 §9.3", "a field for proxies is none of ours", "Proxy-Connection: close", .taken("GET /")),
        old("HTTP/1.0 that stays", "Connection: keep-alive", .taken("GET /")),
        old("HTTP/1.0 that stays, in capitals", "Connection: Keep-Alive", .taken("GET /")),
        old("HTTP/1.0 with the sign for kelvin", "Connection: \u{E2}\u{84}\u{AA}eep-alive", .last("GET /")),
        old("HTTP/1.0 that says both", "Connection: keep-alive, close", .last("GET /")),
        old("HTTP/1.0 with an option that nobody knows", "Connection: x", .last("GET /")),
        old("HTTP/1.0 by a field for proxies", "Proxy-Connection: keep-alive", .last("GET /")),
        RawRequest("9112 §9.3.2", "two at once", get + get, .taken("GET /a", "GET /a")),
        RawRequest(
            "9112 §9.3.2", "four at once, an empty line before the last",
            String(repeating: get, count: 3) + "\r\n" + get,
            .taken("GET /a", "GET /a", "GET /a", "GET /a")),
        RawRequest(
            "9112 §9.3.2", "two at once, the first with a body",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi" + get, .taken("POST / hi", "GET /a")),
        RawRequest(
            "9112 §9.3.2", "two at once, the first chunked",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n" + get,
            .taken("POST / hi", "GET /a")),
        RawRequest(
            "9112 §9.3.2", "the last one says close",
            get + "GET /b HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get, .last("GET /a", "GET /b")),
        RawRequest(
            "9112 §9.3.2", "the second one is refused", get + "GET /b\r\n\r\n" + get, .refused(400, after: "GET /a")),
        RawRequest(
            "9112 §9.3.2", "HTTP/1.0 behind HTTP/1.1", get + "GET /b HTTP/1.0\r\n\r\n" + get, .last("GET /a", "GET /b")),
        RawRequest(
            "9112 §9.3.2", "HEAD and GET", "HEAD /b HTTP/1.1\r\nHost: a\r\n\r\n" + get, .taken("HEAD /b", "GET /a")),
        RawRequest(
            "9112 §9.3.2", "OPTIONS of the server and GET",
            "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n" + get, RawAnswer(lines: ["204"], goesOn: false)
        ),
    ]

    static let expectAndUpgrade: [RawRequest] = [
        post(
            "9110 §10.1.1", "the body is here already", "Expect: 100-continue\r\nContent-Length: 2", "hi",
            .taken("POST / hi")),
        post("9110 §10.1.1", "in capitals", "Expect: 100-CONTINUE\r\nContent-Length: 2", "hi", .taken("POST / hi")),
        post("9110 §10.1.1", "no body to wait for", "Expect: 100-continue\r\nContent-Length: 0", "", .taken("POST /")),
        get("9110 §10.1.1", "of a GET", "Expect: 100-continue", .taken("GET /")),
        get("9110 §15.5.18", "something else", "Expect: cow", .refused(417)),
        get("9110 §15.5.18", "nothing", "Expect:", .refused(417)),
        post(
            "9110 §15.5.18", "and something else", "Expect: 100-continue, cow\r\nContent-Length: 2", "hi", .refused(417)
        ),
        post(
            "9110 §15.5.18", "in two fields", "Expect: 100-continue\r\nExpect: cow\r\nContent-Length: 2", "hi",
            .refused(417)),
        post(
            "9110 §15.5.18", "twice the same", "Expect: 100-continue\r\nExpect: 100-continue\r\nContent-Length: 2",
            "hi", .refused(417)),
        post("9110 §15.5.18", "with a parameter", "Expect: 100-continue;a=b\r\nContent-Length: 2", "hi", .refused(417)),
        post(
            "9110 §10.1.1", "a body that is too long", "Expect: 100-continue\r\nContent-Length: 1001", "", .refused(413)
        ),
        post("9110 §10.1.1", "a length that is none", "Expect: 100-continue\r\nContent-Length: x", "", .refused(400)),
        RawRequest(
            "9110 §10.1.1", "HTTP/1.0 knows no expectations",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi", .last("POST / hi")),
        RawRequest("9110 §10.1.1", "another one in HTTP/1.0", "GET / HTTP/1.0\r\nExpect: cow\r\n\r\n", .last("GET /")),
        get(
            "9110 §7.8", "h2c is not spoken",
            "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
            .taken("GET /")),
        get(
            "9110 §7.8", "nor are WebSockets",
            "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            .taken("GET /")),
        get("9110 §7.8", "nor is TLS within HTTP", "Connection: Upgrade\r\nUpgrade: TLS/1.0", .taken("GET /")),
        get("9110 §7.8", "Upgrade without Connection", "Upgrade: h2c", .taken("GET /")),
        get("9110 §7.8", "Upgrade and close", "Connection: Upgrade, close\r\nUpgrade: h2c", .last("GET /")),
        post(
            "9110 §7.8", "Upgrade with a body", "Connection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 2", "hi",
            .taken("POST / hi")),
        RawRequest(
            "9931 §3", "frames that a hopeful client sends behind it",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n\0\0\0\u{04}\0\0\0\0\0",
            .refused(400, after: "GET /")),
        RawRequest("9113 §3.4", "the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .refused(505)),
        RawRequest(
            "9113 §3.4", "the preface of HTTP/2 and a frame", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u{04}\0\0\0\0\0",
            .refused(505)),
        RawRequest("9113 §3.4", "the preface in HTTP/1.1", "PRI * HTTP/1.1\r\nHost: a\r\n\r\n", .refused(400)),
    ]
}
