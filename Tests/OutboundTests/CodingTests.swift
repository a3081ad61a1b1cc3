import Base
import Outbound
import TestSupport
import Testing

/// RFC 9110 §8.4: we ask for no encoding, and read what comes encoded all the same.
@Suite(.blocking) struct CodingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fields: String
        let body: [UInt8]
        /// The decoded text, or the name of the error.
        var text = CodingTests.text
        var failure = "200"
        /// Part of the error's text.
        var detail = ""

        init(_ name: String, _ coding: String, _ body: String) {
            self.testDescription = name
            self.fields = "Content-Encoding: \(coding)\r\n"
            self.body = Base64.decode(body) ?? []
        }

        init(_ name: String, _ coding: String, plain: String = CodingTests.text) {
            self.testDescription = name
            self.fields = "Content-Encoding: \(coding)\r\n"
            self.body = Array(plain.utf8)
        }

        func fails(_ detail: String) -> Row {
            var row = self
            row.failure = "encoding"
            row.detail = detail
            return row
        }
    }

    static let text = #"{"decoded": true}"#
    static let gzip = "H4sIAAAAAAACA6tWSklNzk9JTVGyUigpKk2tBQAAh01uEQAAAA=="
    static let deflate = "eJyrVkpJTc5PSU1RslIoKSpNrQUANdMGHw=="

    static let rows = [
        Row("gzip", "gzip", gzip),
        Row("gzip, as HTTP/1.0 called it", "x-gzip", gzip),
        Row("in capitals", "GZIP", gzip),
        Row("deflate", "deflate", deflate),
        Row("deflate without the header of zlib", "deflate", "q1ZKSU3OT0lNUbJSKCkqTa0FAA=="),
        Row("br", "br", "DwiAeyJkZWNvZGVkIjogdHJ1ZX0D"),
        Row("zstd", "zstd", "KLUv/QRYiQAAeyJkZWNvZGVkIjogdHJ1ZX0mUHAu"),
        Row("two codings", "gzip, br", "DxKAH4sIAAAAAAACA6tWSklNzk9JTVGyUigpKk2tBQAAh01uEQAAAAM="),
        Row(
            "two codings in two fields", "gzip\r\nContent-Encoding: br",
            "DxKAH4sIAAAAAAACA6tWSklNzk9JTVGyUigpKk2tBQAAh01uEQAAAAM="),
        Row("one of them is none", "identity, gzip", gzip),
        Row("identity", "identity"),
        Row("no value", ""),
        Row("a character set, which is no coding", "UTF-8"),
        Row("another spelling of it", "utf8"),
        Row("a coding that we do not know", "compress").fails("compress: "),
        Row("a known one before an unknown one", "gzip, exi", gzip).fails("gzip, exi: "),
        Row("a coding that nobody knows", "S3cr3t").fails("unknown: "),
        Row("a character set beside a coding", "gzip, utf-8", gzip).fails("gzip, unknown: "),
        Row("more than it can be", "gzip, gzip, gzip, gzip, gzip, gzip", gzip).fails("more than 5 content encodings"),
        Row("not encoded at all", "gzip").fails("gzip: "),
        Row("not in the coding that it names", "br", gzip).fails("br: "),
        Row("damaged", "deflate", "eJyrVkpJTc5PSU1RslIoKSpNrQUANdMGHg==").fails("deflate: "),
        Row("something after the end", "gzip", gzip.dropLast(4) + "AHh4").fails("gzip: "),
    ]

    @Test(arguments: rows) func `each encoding is read or refused`(_ row: Row) async throws {
        let head = "HTTP/1.1 200 OK\r\n\(row.fields)Content-Length: \(row.body.count)\r\n\r\n"
        let outcome = try await self.ask(Array(head.utf8) + row.body)
        #expect(outcome.failure == row.failure)
        if row.failure == "200" {
            #expect(try outcome.get().text == row.text)
        } else {
            #expect("\(try #require(outcome.error))".contains(row.detail), "\(String(describing: outcome.error))")
            // The name of a coding may be anything.
            #expect(!"\(try #require(outcome.error))".lowercased().contains("s3cr3t"))
        }
    }

    // MARK: - Sizes

    /// The limit counts what the caller gets, so a body of exactly this size passes, though its encoding is longer.
    @Test(arguments: [(1000, "200"), (1001, "tooLarge")])
    func `the limit counts decoded bytes`(_ count: Int, _ result: String) async throws {
        let body = StoredGzip.encode([UInt8](repeating: 0x61, count: count))
        #expect(body.count > 1000)
        for length in ["Content-Length: \(body.count)\r\n", ""] {
            let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\(length)\r\n"
            let outcome = try await self.ask(Array(head.utf8) + body, limit: 1000)
            #expect(outcome.failure == result)
            if result == "200" { #expect(try outcome.get().body.count == count) }
        }
    }

    @Test(arguments: EncodedBomb.allCases) func `a bomb is too large`(_ bomb: EncodedBomb) async throws {
        let start = ContinuousClock.now
        #expect(try await self.ask(bomb.answer).error == .tooLarge)
        // It would take seconds to decode all of it.
        #expect(start.duration(to: .now) < .seconds(5))
    }

    /// It decodes to nothing, so only the bytes on the wire can end it.
    @Test func `an endless encoding of nothing ends`() async throws {
        let server = try FaultServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
            connection.write(StoredGzip.endlessHead)
            let blocks = [[UInt8]](repeating: StoredGzip.emptyBlock, count: 10_000).flatMap { $0 }
            while connection.write(blocks) {}
        }
        let outcome = try await OutboundTests.ask(server) { OutboundRequest(url: $0, deadline: .seconds(60)) }
        #expect(outcome.error == .tooLarge)
    }

    private func ask(
        _ answer: [UInt8], limit: Int = 256 * 1024
    ) async throws -> Result<OutboundResponse, OutboundError> {
        let server = try FaultServer { connection in
            guard connection.readRequest() != nil else { return }
            connection.write(answer)
        }
        return try await OutboundTests.ask(server) { OutboundRequest(url: $0, limit: limit) }
    }
}
