import HTTPServer
import HTTPWire
import Testing

/// Which responses are compressed, and which fields they then have (RFC 9110 §8.4, §8.8.3, §12.5.5).
@Suite struct CompressionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let target: String
        var accepts = ""
        var isPacked = false
        var vary: String? = "accept-encoding"
        var tag: String?

        var testDescription: String { "\(self.target) \(self.accepts)" }
    }

    /// Sources: K4.
    @Test(arguments: [
        Row(target: "/packed", accepts: "gzip", isPacked: true),
        Row(target: "/packed?strong", accepts: "br, gzip;q=0.5", isPacked: true, tag: "\"a-gzip\""),
        Row(target: "/packed?weak", accepts: "gzip", isPacked: true, tag: "W/\"a\""),
        Row(target: "/packed?strong", tag: "\"a\""),
        Row(target: "/packed", accepts: "gzip;q=0"),
        Row(target: "/small", accepts: "gzip"),
        Row(target: "/random?strong", accepts: "gzip", tag: "\"a\""),
        Row(target: "/secret", accepts: "gzip", vary: nil),
    ]) func `a response is compressed as asked`(_ row: Row) async throws {
        try await withServer { server in
            let client = try server.client()
            let plain = try #require(await client.ask(Self.request("GET", row.target, "")))
            let reply = try #require(await client.ask(Self.request("GET", row.target, row.accepts)))
            #expect((reply.fields["content-encoding"] == "gzip") == row.isPacked)
            #expect(reply.fields["vary"] == row.vary)
            #expect(plain.fields["vary"] == row.vary)
            #expect(reply.fields["etag"] == row.tag)
            let body = row.isPacked ? Gzip.decompress(reply.body, limit: 100_000) : reply.body
            #expect(body == plain.body)
            if row.isPacked { #expect(reply.body.count < plain.body.count / 5) }
            // HEAD gets the fields of the same form.
            await client.send(Self.request("HEAD", row.target, row.accepts))
            let head = try #require(await client.reply(hasBody: false))
            #expect(head.fields["content-length"] == String(reply.body.count))
            #expect(head.fields["content-encoding"] == reply.fields["content-encoding"])
        }
    }

    /// All responses share one stream. No byte of one may get into the next.
    @Test func `compressed responses in a row are each whole`() async throws {
        try await withServer { server in
            let client = try server.client()
            let first = try #require(await client.ask(Self.request("GET", "/packed", "gzip")))
            for target in ["/random", "/packed", "/small", "/packed"] {
                let reply = try #require(await client.ask(Self.request("GET", target, "gzip")))
                if target == "/packed" { #expect(reply.body == first.body) }
            }
        }
    }

    /// The handler does not see these requests, but its fields are in the refusal.
    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999\r\n\r\n",
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
    ]) func `a body too large is answered with the handler's fields`(_ request: String) async throws {
        try await withServer { server in
            let client = try server.client()
            let reply = await client.ask(request)
            #expect(reply?.status == 413)
            #expect(reply?.fields["x-refused"] == "/echo")
        }
    }

    private static func request(_ method: String, _ target: String, _ accepts: String) -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: a\r\n"
            + (accepts.isEmpty ? "" : "Accept-Encoding: \(accepts)\r\n") + "\r\n"
    }
}
