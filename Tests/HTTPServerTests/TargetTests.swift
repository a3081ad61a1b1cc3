import HTTPServer
import HTTPWire
import Testing

/// What a request is about: a resource, the server, or another server (RFC 9112 §3.2).
@Suite struct TargetTests {
    @Test(arguments: [
        ("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        ("GET http://a/hello HTTP/1.1\r\nHost: a\r\n\r\n", 200),
        ("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", 204),
        ("OPTIONS /nothing HTTP/1.1\r\nHost: a\r\n\r\n", 404),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 501),
        ("GET a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 400),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ]) func `each target is answered with its status`(_ request: String, _ status: Int) async throws {
        try await withServer { server in
            let client = try server.client()
            #expect(await client.ask(request)?.status == status)
        }
    }
}
