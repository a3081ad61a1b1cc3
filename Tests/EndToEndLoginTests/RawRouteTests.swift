import EndToEndSupport
import Foundation
import HTTPWire
import TestSupport
import Testing

/// Raw requests to the real routes: the methods, bodies and credentials they accept, and the responses to all others.
@Suite(.blocking) struct RawRouteTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The section of the RFC that requires it.
        let section: String
        let request: String
        let status: Int
        /// A field that the response must have.
        let field: String?

        init(_ section: String, _ line: String, body: String? = nil, _ status: Int, _ field: String? = nil) {
            self.init(section, line, "", body: body, status, field)
        }

        init(
            _ section: String, _ line: String, _ fields: String, body: String? = nil, _ status: Int,
            _ field: String? = nil
        ) {
            let length = body.map { "Content-Length: \($0.utf8.count)\r\n" } ?? ""
            let lines = fields.isEmpty ? "" : fields + "\r\n"
            self.section = section
            self.request = "\(line) HTTP/1.1\r\nHost: login.example\r\n\(lines)\(length)\r\n\(body ?? "")"
            self.status = status
            self.field = field
        }

        var testDescription: String { "RFC \(self.section): \(self.request.prefix(60)) is \(self.status)" }
    }

    private static let json = "Content-Type: application/json"
    private static let form = "Content-Type: application/x-www-form-urlencoded"
    private static let create =
        "{\"provider\": \"\(BrokerVariant.query.name)\", \"poll_secret\": \"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8\"}"
    private static let bearer = "Authorization: Bearer AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    static let methods: [Row] = [
        Row("9110 §15.5.6", "POST /v1/providers", body: "", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §15.5.6", "DELETE /v1/providers", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §15.5.6", "GET /v1/logins", 405, "Allow: POST, OPTIONS"),
        Row("9110 §15.5.6", "PUT /v1/logins", body: "{}", 405, "Allow: POST, OPTIONS"),
        Row("9110 §15.5.6", "PATCH /v1/logins/abc", body: "{}", 405, "Allow: GET, HEAD, DELETE, OPTIONS"),
        Row("9110 §15.5.6", "GET /v1/logins/abc/return", 405, "Allow: POST, OPTIONS"),
        Row("9110 §15.5.6", "GET /v1/logins/abc/cancel", 405, "Allow: POST, OPTIONS"),
        Row("9110 §15.5.6", "POST /go/abc", body: "", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §15.5.6", "DELETE /callback/query", 405, "Allow: GET, HEAD, POST, OPTIONS"),
        Row("9110 §15.5.6", "PUT /done/abc", body: "", 405, "Allow: GET, HEAD, POST, OPTIONS"),
        Row("9110 §15.5.5", "POST /done/abc", body: "", 404),
        Row("9110 §15.5.6", "POST /done/abc/state", body: "", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §15.5.6", "POST /.well-known/jwks.json", body: "", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §15.5.6", "POST /openapi.yaml", body: "", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §9.3.8", "TRACE /v1/providers", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §9.3.8", "TRACE /v1/providers", "Cookie: a=b\r\nAuthorization: Bearer x", 405),
        Row("9110 §9.1", "BREW /v1/providers", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §9.1", "get /v1/providers", 405, "Allow: GET, HEAD, OPTIONS"),
        Row("9110 §9.3.7", "OPTIONS /v1/logins", 204, "Allow: POST, OPTIONS"),
        Row("9110 §9.3.7", "OPTIONS /v1/logins/abc", 204, "Allow: GET, HEAD, DELETE, OPTIONS"),
        Row("9110 §9.3.7", "OPTIONS *", 204),
        Row("9110 §9.3.2", "HEAD /v1/providers", 200),
        Row("9110 §9.3.2", "HEAD /nothing", 404),
        Row("9110 §9.3.1", "GET /v1/providers", body: "{}", 200),
        Row("9112 §3.2.2", "GET http://other.example/v1/providers", 200),
        Row("9110 §9.3.6", "CONNECT login.example:443", 501),
    ]

    static let bodies: [Row] = [
        Row("9110 §15.5.16", "POST /v1/logins", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", "Content-Type: text/plain", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", form, body: "provider=query", 415),
        Row("9110 §15.5.16", "POST /v1/logins", "Content-Type: application/json; charset=utf-16", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", "Content-Type: application/json, text/plain", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", "\(json)\r\n\(json)", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", "\(json)\r\nContent-Type: text/plain", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", "\(json)\r\nContent-Encoding: gzip", body: create, 415),
        Row("9110 §15.5.16", "POST /v1/logins", "Content-Type:", body: create, 415),
        Row("9110 §8.3.1", "POST /v1/logins", "Content-Type: APPLICATION/JSON; Charset=\"UTF-8\"", body: create, 201),
        Row("8259 §2", "POST /v1/logins", json, body: "", 400),
        Row("8259 §2", "POST /v1/logins", json, body: "{", 400),
        Row("8259 §8.1", "POST /v1/logins", json, body: "\u{FEFF}{}", 400),
        Row("8259 §4", "POST /v1/logins", json, body: "{\"provider\": \"query\", \"provider\": \"query\"}", 400),
        Row("8259 §2", "POST /v1/logins", json, body: "{} {}", 400),
        Row("8259 §2", "POST /v1/logins", json, body: "[]", 400),
        Row("9110 §15.5.14", "POST /v1/logins", "\(json)\r\nContent-Length: 65537", 413),
        Row("9110 §10.1.1", "POST /v1/logins", "\(json)\r\nExpect: cow", body: create, 417),
        Row("9112 §6.3", "POST /v1/logins", "\(json)\r\nTransfer-Encoding: gzip", 400),
        Row("9112 §6.1", "POST /v1/logins", "\(json)\r\nTransfer-Encoding: gzip, chunked", 501),
        Row("9110 §15.5.16", "POST /callback/query", json, body: "{}", 415),
        Row("9110 §15.5.16", "POST /callback/query", "\(form)\r\nContent-Type: text/plain", body: "a=b", 415),
        Row("9110 §15.5.16", "POST /callback/query", "\(form)\r\nContent-Encoding: gzip", body: "a=b", 415),
        Row("9110 §15.4.4", "POST /callback/query", form, body: "code=%zz", 303),
        Row("9110 §15.4.4", "GET /callback/query?code=%zz", 303),
        Row("9110 §15.4.4", "GET /callback/query?code=a%0D%0ASet-Cookie:%20a=b", 303),
        Row("9110 §15.4.4", "GET /callback/query?code=a&state=b", "Cookie: ;;=;a;\r\nCookie: =b", 303),
    ]

    static let credentials: [Row] = [
        Row("6750 §3", "GET /v1/logins/abc", 401, "WWW-Authenticate: Bearer"),
        Row("6750 §2.1", "GET /v1/logins/abc", "Authorization: Basic YTpi", 401, "WWW-Authenticate: Bearer"),
        Row("6750 §2.1", "GET /v1/logins/abc", "Authorization: Bearer", 401),
        Row("6750 §2.1", "GET /v1/logins/abc", "Authorization: Bearer  x", 401),
        Row(
            "6750 §3.1", "GET /v1/logins/abc", "Authorization: Bearer short", 401,
            "WWW-Authenticate: Bearer error=\"invalid_token\""),
        Row("6750 §2", "GET /v1/logins/abc", "\(bearer)\r\n\(bearer)", 401),
        Row("6750 §2.3", "GET /v1/logins/abc?access_token=x", bearer, 400),
        Row("6750 §2.1", "GET /v1/logins/abc", bearer, 404),
        Row("9110 §11.6.2", "DELETE /v1/logins/abc", 401, "WWW-Authenticate: Bearer"),
        Row("9110 §7.2", "GET /v1/providers", "Host: other.example", 400),
        Row("9112 §3", "GET /v1/\(String(repeating: "a", count: 8192))", 414),
        Row("6585 §5", "GET /", "X: \(String(repeating: "a", count: 16_384))", 431),
        Row("6585 §5", "GET /", String(repeating: "X: y\r\n", count: 100) + "X: y", 431),
        Row("9110 §15.6.6", "GET / HTTP/2.0\r\nX:", 505),
    ]

    /// All rows use one server. Each has its own connection, and asks the server to close it.
    @Test func `raw requests are answered as the RFCs say`() async throws {
        let server = try await RunningServer.start([.query])
        for row in Self.methods + Self.bodies + Self.credentials {
            let head = try await Self.ask(row.request, port: server.port)
            #expect(head.hasPrefix("HTTP/1.1 \(row.status) "), "\(row.testDescription)")
            #expect(!head.lowercased().contains("set-cookie"), "\(row.testDescription)")
            guard let field = row.field else { continue }
            #expect(head.components(separatedBy: "\r\n").contains(field), "\(row.testDescription): \(head)")
        }
        await server.stop()
    }

    /// A second request follows each one. It shows that the first ended where it should, or that the server stopped
    /// reading.
    @Test func `nothing is served behind what is doubtful`() async throws {
        let server = try await RunningServer.start([.query])
        let more = "GET /v1/providers HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
        for row in Self.methods + Self.bodies + Self.credentials {
            let text = try await RawExchange.send(row.request + more, port: server.port)
            let answers = text.components(separatedBy: "HTTP/1.1 ").count - 1
            let isOfHTTP =
                text.contains("\r\nConnection: close\r\n") && [400, 413, 414, 417, 431, 501, 505].contains(row.status)
                && RefusalShapeTests.codes.contains { text.contains("\"code\":\"\($0)\"") }
            #expect(answers == (isOfHTTP ? 1 : 2), "\(row.testDescription)")
        }
        await server.stop()
    }

    private static func ask(_ request: String, port: UInt16) async throws -> String {
        let text = try await RawExchange.send(request, port: port)
        return text.components(separatedBy: "\r\n\r\n").first ?? ""
    }
}
