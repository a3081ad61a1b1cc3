import EndToEndSupport
import Foundation
import LoginAPI
import StrictJSON
import TestSupport
import Testing

/// Requests rejected before they reach a route get the same shape of response as every other rejected one (RFC 9457).
@Suite(.blocking) struct RefusalShapeTests {
    /// The problem codes that concern HTTP itself.
    static let codes = Problem.Code.allCases.filter(\.isOfHTTP).map(\.rawValue)

    typealias Row = (rfc: String, request: String, status: Int, code: String)

    static let rows: [Row] = [
        ("9112 §3", "GET\r\n\r\n", 400, "malformed_request"),
        ("9112 §2.2", "GET / HTTP/1.1\nHost: a\n\n", 400, "malformed_request"),
        ("9112 §3.2", "GET /v1/providers HTTP/1.1\r\n\r\n", 400, "malformed_request"),
        ("9112 §5.1", "GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, "malformed_request"),
        (
            "9112 §6.3",
            "POST /v1/logins HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
            "malformed_request"
        ),
        (
            "9112 §7.1", "POST /v1/logins HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", 400,
            "malformed_request"
        ),
        (
            "9110 §15.5.14", "POST /v1/logins HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n", 413,
            "content_too_large"
        ),
        (
            "9110 §15.5.15", "GET /v1/\(String(repeating: "a", count: 9000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414,
            "uri_too_long"
        ),
        ("9110 §15.5.18", "GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\n\r\n", 417, "expectation_failed"),
        (
            "6585 §5", "GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 20_000))\r\n\r\n", 431,
            "header_fields_too_large"
        ),
        (
            "9112 §6.1", "POST /v1/logins HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501,
            "not_implemented"
        ),
        ("9110 §9.3.6", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 501, "not_implemented"),
        ("9110 §15.6.6", "GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, "http_version_not_supported"),
    ]

    @Test func `the parser's refusals are problems`() async throws {
        let server = try await RunningServer.start([.query])
        for row in Self.rows {
            let text = try await RawExchange.send(row.request, port: server.port)
            try Self.check(text, row.status, row.code, url: server.url, "\(row.rfc)")
        }
        await server.stop()
    }

    static let browser = "Host: a\r\nAccept: text/html,*/*;q=0.8\r\nAccept-Language: da\r\n"

    /// A browser gets each of them as a page in its user's language.
    static let pages: [(name: String, request: String, status: Int)] = [
        ("a bad field", "GET /go/x HTTP/1.1\r\n\(browser)X : y\r\n\r\n", 400),
        ("two hosts", "GET /go/x HTTP/1.1\r\nHost: b\r\n\(browser)\r\n", 400),
        ("a large body", "POST /callback/query HTTP/1.1\r\n\(browser)Content-Length: 99999999\r\n\r\n", 413),
        ("a long URL", "GET /go/x?\(String(repeating: "a", count: 9000)) HTTP/1.1\r\n\(browser)\r\n", 414),
        ("an expectation", "GET / HTTP/1.1\r\n\(browser)Expect: cake\r\n\r\n", 417),
        (
            "many cookies", "GET /go/x HTTP/1.1\r\n\(browser)Cookie: \(String(repeating: "a", count: 20_000))\r\n\r\n",
            431
        ),
        ("a coding", "POST / HTTP/1.1\r\n\(browser)Transfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("another host", "CONNECT a:443 HTTP/1.1\r\n\(browser)\r\n", 501),
    ]

    @Test func `browsers get refusals as pages`() async throws {
        let server = try await RunningServer.start([.query])
        for row in Self.pages {
            let text = try await RawExchange.send(row.request, port: server.port)
            #expect(text.hasPrefix("HTTP/1.1 \(row.status) "), "\(row.name)")
            #expect(text.contains("\r\nContent-Language: da\r\n"), "\(row.name)")
            #expect(text.contains("\r\nContent-Type: text/html"), "\(row.name)")
            #expect(text.contains("<h1>Det virkede ikke</h1>"), "\(row.name)")
        }
        // This line is longer than a whole head may be, so no field of it is read.
        let text = try await RawExchange.send(
            "GET /go/\(String(repeating: "a", count: 20_000)) HTTP/1.1\r\n\(Self.browser)\r\n", port: server.port)
        #expect(text.hasPrefix("HTTP/1.1 414 ") && text.contains("<h1>That did not work</h1>"))
        await server.stop()
    }

    /// The log has each one under the request id that the client got. The lines are at `debug`, so that clients cannot
    /// fill it.
    @Test func `the log has each refusal`() async throws {
        let server = try await RunningServer.start([.query])
        let text = try await RawExchange.send(Self.rows[0].request, port: server.port)
        let id = try #require(Self.field("Request-Id", of: text))
        await server.stop()
        let line = try #require(server.log.text.split(separator: "\n").first { $0.contains("request_refused") })
        #expect(line.contains("\"request_id\":\"\(id)\""))
        #expect(line.contains("\"reason\":\"malformed_request\""))
        #expect(line.contains("\"level\":\"debug\""))
    }

    /// A page with an allowed origin may read the reason, as with any other problem.
    @Test func `pages of other origins may read refusals`() async throws {
        let server = try await RunningServer.start(
            [.query], app: "return_prefixes: [\"\(RunningServer.returnPrefix)\"], origins: [\"https://shop.example\"]")
        let text = try await RawExchange.send(
            "POST /v1/logins HTTP/1.1\r\nHost: a\r\nOrigin: https://shop.example\r\nContent-Length: 99999999\r\n\r\n",
            port: server.port)
        #expect(text.contains("\r\nAccess-Control-Allow-Origin: https://shop.example\r\n"))
        await server.stop()
    }

    @Test func `one connection too many is refused likewise`() async throws {
        let server = try await RunningServer.start([.query], settings: "limits: {connections: 1, head_time: 300}")
        // The only connection slot is taken, as long as its head may take.
        let slot = try TestClient.connect(port: server.port)
        #expect(write(slot, "GET / HTTP/1.1\r\n", 16) == 16)
        let isTaken = try await eventually {
            try await TestClient.send("GET", "\(server.operations)/metrics").text
                .contains("switchback_http_connections 1\n")
        }
        #expect(isTaken)
        let text = try await RawExchange.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n", port: server.port)
        try Self.check(text, 503, "too_many_connections", url: server.url, "503")
        #expect(text.contains("\r\nRetry-After: 5\r\n"))
        // The server reads what has arrived. A client that has sent its request before it is accepted gets a page.
        let page = try await RawExchange.send("GET / HTTP/1.1\r\n\(Self.browser)\r\n", port: server.port)
        #expect(page.hasPrefix("HTTP/1.1 503 ") && page.contains("\r\nRetry-After: 5\r\n"))
        close(slot)
        await server.stop()
    }

    @Test func `a late request is refused likewise`() async throws {
        let server = try await RunningServer.start([.query], settings: "limits: {head_time: 1}")
        let text = try await RawExchange.send("GET / HTTP/1.1\r\n", port: server.port, endsSending: false)
        try Self.check(text, 408, "request_timeout", url: server.url, "9110 §15.5.9")
        await server.stop()
    }

    private static func check(_ text: String, _ status: Int, _ code: String, url: String, _ name: Comment) throws {
        let parts = text.components(separatedBy: "\r\n\r\n")
        let head = try #require(parts.first)
        #expect(head.hasPrefix("HTTP/1.1 \(status) "), name)
        #expect(head.contains("\r\nContent-Type: application/problem+json"), name)
        #expect(head.contains("\r\nCache-Control: no-store"), name)
        #expect(head.contains("\r\nX-Content-Type-Options: nosniff"), name)
        let id = try #require(Self.field("Request-Id", of: head), name)
        #expect(id.utf8.count == 12, name)
        let body = try JSON(parsing: Array(parts.dropFirst().joined(separator: "\r\n\r\n").utf8))
        #expect(body["status"]?.integer == status, name)
        #expect(body["code"]?.string == code, name)
        #expect(body["type"]?.string == "\(url)/problems/\(code)", name)
        #expect(body["request_id"]?.string == id, name)
        #expect(body["detail"]?.string?.hasSuffix(".") == true, name)
    }

    private static func field(_ name: String, of head: String) -> String? {
        head.components(separatedBy: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ": ") }
            .map { String($0.dropFirst(name.count + 2)) }
    }
}
