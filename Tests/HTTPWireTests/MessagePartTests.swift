import HTTPWire
import ResponseParsing
import Testing

/// Responses in parts: in chunks (RFC 9112 §7.1), and until the connection ends.
@Suite struct MessagePartTests {
    private static func written(_ writer: MessageWriter, _ parts: [String]) throws -> String {
        var bytes: [UInt8] = []
        try writer.writeHead(of: Response(.ok, fields: [.etag: "\"a\""], body: Array("left out".utf8)), into: &bytes)
        for part in parts { writer.writePart(Array(part.utf8), into: &bytes) }
        writer.writeEnd(into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `parts are written as chunks`() throws {
        let text = try Self.written(MessageWriter(to: .get), ["hello", "", String(repeating: "x", count: 4097)])
        #expect(
            text == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nETag: \"a\"\r\n\r\n5\r\nhello\r\n1001\r\n"
                + String(repeating: "x", count: 4097) + "\r\n0\r\n\r\n")
    }

    @Test func `to the old version parts are written as they are`() throws {
        let text = try Self.written(MessageWriter(to: .get, version: .http10, keepsAlive: false), ["hello", "you"])
        #expect(text == "HTTP/1.1 200 OK\r\nConnection: close\r\nETag: \"a\"\r\n\r\nhelloyou")
    }

    @Test func `a bad field leaves nothing`() {
        var bytes = Array("before".utf8)
        #expect(throws: WriteError.badFieldValue(.location)) {
            try MessageWriter(to: .get).writeHead(
                of: Response(.ok, fields: [.location: "/\r\nx: y"], body: []), into: &bytes)
        }
        #expect(bytes == Array("before".utf8))
    }

    /// Everything written is read back, byte by byte.
    @Test func `parts are read back as written`() throws {
        var bytes: [UInt8] = []
        let writer = MessageWriter(to: .get)
        try writer.writeHead(of: Response(.ok), into: &bytes)
        let parts = (1...300).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: $0) }
        for part in parts { writer.writePart(part, into: &bytes) }
        writer.writeEnd(into: &bytes)
        var parser = ResponseParser()
        var (body, ends): ([UInt8], Int) = ([], 0)
        for byte in bytes {
            parser.feed([byte])
            while true {
                let event = try parser.next()
                if case .body(let part) = event { body += part }
                if event == .end { ends += 1 }
                if event == .needsBytes { break }
            }
        }
        #expect(body == Array(parts.joined()))
        #expect(ends == 1)
    }

    @Test(arguments: [("\"a\"", "\"a-gzip\""), ("W/\"a\"", "W/\"a\"")]) func `a compressed form has its own tag`(
        _ tag: String, _ packed: String
    ) throws {
        #expect(try #require(EntityTag(tag)).packed(by: .gzip).description == packed)
        #expect(try #require(EntityTag(tag)).packed(by: .identity).description == tag)
    }
}
