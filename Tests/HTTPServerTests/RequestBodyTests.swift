import EventLoop
import HTTPServer
import HTTPWire
import Testing

/// Bodies: by length, in chunks, and after `100 Continue` (RFC 9112 §6 and §7, RFC 9110 §10.1.1).
@Suite struct RequestBodyTests {
    @Test(arguments: [
        ("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "POST hello"),
        ("PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "PUT "),
        ("POST /echo HTTP/1.1\r\nHost: a\r\n\r\n", "POST "),
        (
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            "POST hello"
        ),
        ("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "POST "),
        (
            "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nTrailer: x\r\n\r\n",
            "POST a"
        ),
        ("POST /echo HTTP/1.0\r\nContent-Length: 5\r\n\r\nhello", "POST hello"),
    ]) func `bodies reach the handler whole`(_ request: String, _ answer: String) async throws {
        try await withServer(clock: StoppedClock()) { server in
            #expect(try await server.client().ask(request)?.text == answer)
            let slowly = try server.client()
            for byte in request.utf8 { await slowly.send([byte]) }
            #expect(await slowly.reply()?.text == answer)
        }
    }

    @Test func `the go-ahead comes before the body`() async throws {
        try await withServer { server in
            let client = try server.client()
            await client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
            #expect(await client.reply()?.status == 100)
            #expect(await client.ask("hello")?.text == "POST hello")
            await client.send(
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nExpect: 100-Continue\r\n\r\n")
            #expect(await client.reply()?.status == 100)
            #expect(await client.ask("1\r\nx\r\n0\r\n\r\n")?.text == "POST x")
        }
    }

    /// RFC 9110 §10.1.1: no `100 Continue` if there is nothing to wait for, if the body has come, or for HTTP/1.0.
    @Test(arguments: [
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi",
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n",
        "GET /echo HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n",
        "POST /echo HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\nhi",
    ]) func `there is no go-ahead without need`(_ request: String) async throws {
        try await withServer { server in
            let client = try server.client()
            #expect(await client.ask(request)?.status == 200)
        }
    }

    @Test func `a body too long is refused instead of asked for`() async throws {
        var limits = ServerLimits()
        limits.request.body = 100
        try await withServer(limits: limits) { server in
            let client = try server.client()
            let reply = await client.ask(
                "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n")
            #expect(reply?.status == 413)
            #expect(await client.isEnded())
        }
    }

    @Test func `another expectation cannot be met`() async throws {
        try await withServer { server in
            let reply = try await server.client().ask("GET /hello HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n")
            #expect(reply?.status == 417)
        }
    }
}
