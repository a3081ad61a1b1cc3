import HTTPWire
import Testing

/// What a request says about its connection: whether it stays open (RFC 9112 §9.3), and what it waits for (RFC
/// 9110 §10.1.1).
@Suite struct ConnectionTests {
    private static func head(_ version: String, _ fields: String) throws -> RequestHead {
        let text = "POST / HTTP/\(version)\r\nHost: a\r\n\(fields.isEmpty ? "" : fields + "\r\n")\r\n"
        return try #require(Transcript(Array(text.utf8)).messages.first?.head)
    }

    @Test(arguments: [
        ("1.1", "", true), ("1.1", "Connection: close", false), ("1.1", "Connection: Close", false),
        ("1.1", "Connection: keep-alive", true), ("1.1", "Connection: keep-alive, close", false),
        ("1.1", "Connection: close, keep-alive", false), ("1.1", "Connection: upgrade", true),
        ("1.1", "Connection: x,\tCLOSE ,y", false), ("1.1", "Connection: keep-alive\r\nConnection: close", false),
        ("1.1", "Connection: closed", true), ("1.1", "Connection:", true),
        ("1.0", "", false), ("1.0", "Connection: keep-alive", true), ("1.0", "Connection: Keep-Alive", true),
        ("1.0", "Connection: x, keep-alive", true), ("1.0", "Connection: keep-alive, close", false),
        ("1.0", "Connection: close", false), ("1.0", "Keep-Alive: timeout=5", false),
    ]) func `a connection stays open as its fields say`(_ version: String, _ fields: String, _ stays: Bool) throws {
        #expect(try Self.head(version, fields).keepsAlive == stays)
    }

    @Test(arguments: [
        ("1.1", "", HTTPWire.Expectation.none), ("1.1", "Expect: 100-continue\r\nContent-Length: 5", .continue),
        ("1.1", "Expect: 100-Continue\r\nTransfer-Encoding: chunked", .continue),
        ("1.1", "Expect: 100-continue", .none), ("1.1", "Expect: 100-continue\r\nContent-Length: 0", .none),
        ("1.1", "Expect: 200-ok\r\nContent-Length: 5", .unknown), ("1.1", "Expect:", .unknown),
        ("1.1", "Expect: 100-continue\r\nExpect: 100-continue\r\nContent-Length: 5", .unknown),
        ("1.1", "Expect: 100-continue, x", .unknown),
        ("1.0", "Expect: 100-continue\r\nContent-Length: 5", .none), ("1.0", "Expect: x", .none),
    ]) func `an expectation is read as its fields say`(
        _ version: String, _ fields: String, _ expectation: HTTPWire.Expectation
    ) throws {
        #expect(try Self.head(version, fields).expectation == expectation)
    }
}
