import EventLoop
import Foundation
import HTTPServer
import HTTPWire
import TestSupport
import Testing

@testable import LoginAPI

/// Tests a server behind a real nginx, and behind two of them: the client is the one that our first proxy saw.
@Suite(.blocking, .enabled(if: TestTier.isWhole, "takes nginx and curl")) struct ProxyFrontTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let header: TrustedProxy.Header
        /// The header field that the client sends.
        let says: String
        let client: String

        var testDescription: String { "\(self.header) behind a client that says \(self.says)" }
    }

    private static let client = "127.0.0.5"

    @Test(arguments: [
        Row(header: .xForwardedFor, says: "X: y", client: client),
        Row(header: .xForwardedFor, says: "X-Forwarded-For: 203.0.113.9", client: client),
        Row(header: .xForwardedFor, says: "X-Forwarded-For: 203.0.113.9, 127.0.0.1", client: client),
        Row(header: .xForwardedFor, says: "X-Forwarded-For: \"", client: client),
        Row(header: .xForwardedFor, says: "Forwarded: for=203.0.113.9", client: client),
        Row(header: .forwarded, says: "X: y", client: client),
        Row(header: .forwarded, says: "Forwarded: for=203.0.113.9", client: client),
        Row(header: .forwarded, says: "Forwarded: for=\"[::1]:80\";proto=https, for=127.0.0.1", client: client),
        Row(header: .forwarded, says: "X-Forwarded-For: 203.0.113.9", client: client),
        // What nginx adds is then inside an unterminated text: we trust no address in it, and the client is the proxy.
        Row(header: .forwarded, says: "Forwarded: for=\"", client: "127.0.0.1"),
    ]) func `the client is the one that our proxy saw`(_ row: Row) async throws {
        let loop = try EventLoop(name: "test")
        let proxy = TrustedProxy(row.header, peers: TrustedPeer("127.0.0.1/32").map { [$0] } ?? [])
        let server = HTTPServer(
            listen: try #require(ListenAddress("127.0.0.1:0")), loops: [loop], handler: NamesTheClient(proxy: proxy))
        let port = try server.start().port
        let folder = NSTemporaryDirectory() + "proxies-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let (near, far) = (try FreePort.find(), try FreePort.find())
        let nginx = try Nginx(in: folder, servers: [Self.front(near, of: port), Self.front(far, of: near)])
        for front in [near, far] {
            let curl = try ChildProcess(
                tool: "curl",
                ["-s", "--interface", Self.client, "-H", row.says, "-o", "\(front)", "http://127.0.0.1:\(front)/"],
                in: folder)
            #expect(curl.end())
            #expect(try String(contentsOfFile: "\(folder)/\(front)", encoding: .utf8) == row.client)
        }
        nginx.stop()
        await server.close()
        loop.close()
        try FileManager.default.removeItem(atPath: folder)
    }

    private static func front(_ port: UInt16, of upstream: UInt16) -> String {
        """
        server {
            listen 127.0.0.1:\(port);
            location / {
                proxy_pass http://127.0.0.1:\(upstream);
                proxy_http_version 1.1;
                proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
                proxy_set_header Forwarded "$http_forwarded, for=$remote_addr";
            }
        }
        """
    }
}

private struct NamesTheClient: RequestHandler {
    let proxy: TrustedProxy

    func handle(_ request: Request, _ exchange: ResponseHandle) {
        let client = self.proxy.client(of: request.fields, from: exchange.peer)
        exchange.respond(Response(.ok, body: Array(client.description.utf8)))
    }
}
