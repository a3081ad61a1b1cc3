import EventLoop
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// A handler's response that would be more than one response (RFC 9110 §5.5, RFC 9112 §11.1): the client gets 500 and
/// no part of it.
@Suite(.blocking) struct ForgedAnswerTests {
    @Test(arguments: [
        "a\r\nSet-Cookie: forged=1", "a\r\n\r\nforged", "a\r\n\r\nHTTP/1.1 200 OK\r\nX: forged", "a\nX: forged",
        "a\rX: forged", "\r\nX: forged", "forged\r\n", "forged\r", "forged\n", "forged\0", "\0forged", "forged\u{7F}",
        "\u{1B}[31mforged", "forged\u{0B}", "forged\u{1}",
    ]) func `a field value cannot forge anything else`(_ value: String) async throws {
        for name in [FieldName.location, .setCookie, .contentType, .allow, "x-own"] {
            try await Self.check(
                Response(.ok, fields: [.cacheControl: "forged", name: value], body: Array("forged".utf8)))
        }
    }

    @Test(arguments: [-1, 0, 99, 600, 1000]) func `a status cannot be more than a status`(_ status: Int) async throws {
        try await Self.check(
            Response(Status(rawValue: status), fields: [.location: "/forged"], body: Array("forged".utf8)))
    }

    /// The server ignores the connection's own fields in a handler's response.
    @Test func `a handler cannot set the connection's own fields`() async throws {
        let text = try await Self.answer(
            Response(
                .ok,
                fields: [
                    .contentLength: "99", .transferEncoding: "chunked", .date: "yesterday", .connection: "upgrade",
                ],
                body: Array("hello".utf8)))
        #expect(text.contains("\r\nContent-Length: 5\r\n"))
        for gone in ["99", "chunked", "yesterday", "upgrade"] { #expect(!text.contains(gone)) }
    }

    private static func check(_ response: Response) async throws {
        let text = try await Self.answer(response)
        #expect(text.hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(!text.contains("forged"))
    }

    /// Returns everything that the server sends.
    private static func answer(_ response: Response) async throws -> String {
        let loop = try EventLoop(name: "test")
        let server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [loop], handler: SaysOneThing(response: response)
        )
        let client = try RawClient(port: try server.start().port)
        await client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finishWriting()
        let text = await client.rest()
        await server.close()
        loop.close()
        return text
    }
}

private struct SaysOneThing: RequestHandler {
    let response: Response

    func handle(_ request: Request, _ responder: ResponseHandle) { responder.respond(self.response) }
}
