import Base
import Outbound
import Synchronization
import TestSupport
import Testing

/// RFC 9112: what we send, and how we read the response.
@Suite(.blocking) struct MessageTests {
    @Test func `what was asked is sent, and nothing else`() async throws {
        let seen = Mutex("")
        let server = try FaultServer { connection in
            seen.withLock { $0 = connection.readRequest() ?? "" }
            connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        }
        let outcome = try await ask(server) {
            OutboundRequest(
                method: .post, url: $0 + "token?a=b",
                fields: [
                    Parameter("Accept", "application/json"), Parameter("Content-Type", "text/plain"),
                    Parameter("X-Empty", ""),
                ],
                body: Array("code=\u{0}1".utf8))
        }
        #expect(try outcome.get().text == "ok")
        let lines = seen.withLock { $0 }.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines.first == "POST /token?a=b HTTP/1.1")
        #expect(
            lines.dropFirst().dropLast(2).sorted() == [
                "Accept-Encoding: identity", "Accept: application/json", "Content-Length: 7",
                "Content-Type: text/plain",
                "Host: 127.0.0.1:\(server.port)", "User-Agent: Switchback", "X-Empty:",
            ])
        #expect(lines.last == "code=\u{0}1")
    }

    @Test(arguments: [0, 1, 1024 * 1024 + 1, 3_000_000])
    func `bodies of any size are sent at once`(_ size: Int) async throws {
        let server = try FaultServer { connection in
            let request = connection.readRequest() ?? ""
            let body = request.split(separator: "\r\n\r\n", maxSplits: 1).dropFirst().first ?? ""
            connection.write("HTTP/1.1 200 OK\r\n\r\n\(body.utf8.count) \(request.contains("Expect"))")
        }
        let outcome = try await ask(server) {
            OutboundRequest(method: .post, url: $0, body: [UInt8](repeating: 0x61, count: size))
        }
        #expect(try outcome.get().text == "\(size) false")
    }

    struct Answer: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: String
        let status: Int
        let fields: [String]
        let body: String

        init(_ name: String, _ bytes: String, _ status: Int, _ fields: [String], _ body: String) {
            self.testDescription = name
            self.bytes = bytes
            self.status = status
            self.fields = fields
            self.body = body
        }
    }

    static let ok = "HTTP/1.1 200 OK\r\n"
    static let empty = "Content-Length: 0\r\n\r\n"

    static let answers = [
        Answer("a length", ok + "Content-Length: 3\r\n\r\nabc", 200, ["content-length=3"], "abc"),
        Answer("no reason", "HTTP/1.1 200\r\n" + empty, 200, ["content-length=0"], ""),
        Answer("no content", "HTTP/1.1 204 No Content\r\n\r\n", 204, [], ""),
        Answer("HTTP/1.0", "HTTP/1.0 200 OK\r\nX: y\r\n\r\nto the end", 200, ["x=y"], "to the end"),
        Answer("an error", "HTTP/1.1 404 x\r\nContent-Length: 4\r\n\r\ngone", 404, ["content-length=4"], "gone"),
        Answer("blanks", "HTTP/1.1 503 x\r\nA:1\r\na:  2 \t\r\n" + empty, 503, ["a=1", "a=2", "content-length=0"], ""),
        // We do not follow it: the caller sees it.
        Answer(
            "a redirect", "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/x\r\n" + empty, 302,
            ["location=http://127.0.0.1:1/x", "content-length=0"], ""),
        Answer(
            "chunks and a trailer",
            ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nTrailer: 1\r\n\r\n", 200,
            ["transfer-encoding=chunked"], "abcde"),
        // RFC 9110 §15.2: an interim response is not the response.
        Answer(
            "interim answers",
            "HTTP/1.1 100 Continue\r\nX: 1\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + ok + empty, 200,
            ["content-length=0"], ""),
        Answer("too many bytes", ok + "Content-Length: 3\r\n\r\nabcdef", 200, ["content-length=3"], "abc"),
        Answer("beyond ASCII", ok + "X: \u{fffd}\r\n" + empty, 200, ["x=\u{fffd}", "content-length=0"], ""),
    ]

    @Test(arguments: answers) func `each response is read whole`(_ answer: Answer) async throws {
        let response = try await ask(FaultServer(answer: answer.bytes)).get()
        #expect(response.status == answer.status)
        #expect(response.fields.map { "\($0.name)=\($0.value)" } == answer.fields)
        #expect(response.text == answer.body)
    }

    @Test func `no cookie is sent back, and no redirect is followed`() async throws {
        let seen = Mutex<[String]>([])
        let server = try FaultServer { connection in
            while let request = connection.readRequest() {
                seen.withLock { $0.append(request) }
                connection.write(
                    "HTTP/1.1 302 Found\r\nSet-Cookie: a=b\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n")
            }
        }
        defer { server.stop() }
        try await withClient { client in
            for _ in 0..<2 {
                let response = try await client.send(OutboundRequest(url: server.url))
                #expect(response.status == 302)
            }
        }
        let requests = seen.withLock { $0 }
        #expect(requests.count == 2)
        #expect(!requests.joined().lowercased().contains("cookie"))
    }

    @Test func `requests and responses print no secret`() {
        let request = OutboundRequest(
            method: .post, url: "https://user:pass@op.example/a/secret?code=secret#secret",
            fields: [Parameter("Authorization", "secret")], body: Array("secret".utf8))
        #expect("\(request)" == "POST op.example")
        let response = OutboundResponse(status: 200, fields: [Parameter("x", "secret")], body: [1, 2])
        #expect("\(response)" == "200, 2 bytes")
    }
}
