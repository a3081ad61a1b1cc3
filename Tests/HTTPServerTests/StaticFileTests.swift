import HTTPServer
import HTTPWire
import Testing

/// How files are served: forms, tags, 304 (RFC 9110 §8.8.3, §12.5.3, §13.1.2).
@Suite struct StaticFileTests {
    static let text = Array(String(repeating: "the same again\n", count: 50).utf8)
    static let page = StaticFile(
        bytes: Self.text, hash: "abc", contentType: "text/html; charset=utf-8", cacheControl: "public, max-age=60")
    /// Random bytes do not get smaller.
    static let noise = (0..<2000).map { _ in UInt8.random(in: 0...255) }

    private static func ask(_ file: StaticFile, _ fields: Fields = [:], method: Method = .get) throws -> Response {
        let target = try #require(Target("/page"))
        return file.response(to: Request(head: RequestHead(method, target, fields: fields)))
    }

    @Test func `a client that does not ask for gzip gets plain text`() throws {
        let response = try Self.ask(Self.page)
        #expect(response.status == .ok)
        #expect(response.body == Self.text)
        #expect(response.fields[.etag] == "\"abc\"")
        #expect(response.fields[.contentEncoding] == nil)
        #expect(response.fields[.contentType] == "text/html; charset=utf-8")
        #expect(response.fields[.cacheControl] == "public, max-age=60")
        #expect(response.fields[.vary] == "accept-encoding")
    }

    @Test func `a client that asks for gzip gets it`() throws {
        let response = try Self.ask(Self.page, [.acceptEncoding: "br, gzip"])
        #expect(response.fields[.contentEncoding] == "gzip")
        #expect(response.fields[.etag] == "\"abc-gzip\"")
        #expect(response.fields[.vary] == "accept-encoding")
        #expect(Gzip.decompress(response.body, limit: 10_000) == Self.text)
        #expect(response.body.count < Self.text.count)
    }

    /// The fields and the status: If-Match goes first, compares strongly, and with the form that would be sent.
    @Test(arguments: [
        (["if-match": "\"abc\""], 200), (["if-match": "\"x\", \"abc\""], 200), (["if-match": "*"], 200),
        (["if-match": "\"x\""], 412), (["if-match": "W/\"abc\""], 412),
        (["if-match": "\"abc\"", "if-none-match": "\"abc\""], 304),
        (["if-match": "\"x\"", "if-none-match": "\"abc\""], 412),
        (["if-match": "\"abc-gzip\"", "accept-encoding": "gzip"], 200),
        (["if-match": "\"abc\"", "accept-encoding": "gzip"], 412),
        (["if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT"], 200),
    ]) func `preconditions are held`(_ fields: [String: String], _ status: Int) throws {
        var asked: Fields = [:]
        for (name, value) in fields { asked.add(try #require(FieldName(name)), value) }
        for method in [Method.get, .head] {
            let response = try Self.ask(Self.page, asked, method: method)
            #expect(response.status.rawValue == status)
            #expect(status != 412 || response.body.isEmpty)
        }
    }

    /// The size alone decides, so a key set has the same fields with every key.
    @Test(arguments: [(1, false), (511, false), (512, true)])
    func `small files are not compressed`(_ size: Int, _ isCompressed: Bool) throws {
        let file = StaticFile(
            bytes: Array(repeating: 97, count: size), hash: "a", contentType: "application/json",
            cacheControl: "no-cache")
        let response = try Self.ask(file, [.acceptEncoding: "gzip"])
        #expect((response.fields[.contentEncoding] == "gzip") == isCompressed)
        #expect((response.fields[.vary] == "accept-encoding") == isCompressed)
    }

    @Test func `gzip is not sent where it is refused`() throws {
        #expect(try Self.ask(Self.page, [.acceptEncoding: "gzip;q=0"]).fields[.contentEncoding] == nil)
    }

    @Test func `what gzip would make larger stays plain`() throws {
        let file = StaticFile(bytes: Self.noise, hash: "x", contentType: "image/png", cacheControl: "no-cache")
        let response = try Self.ask(file, [.acceptEncoding: "gzip"])
        #expect(response.body == Self.noise)
        #expect(response.fields[.contentEncoding] == nil)
        #expect(response.fields[.vary] == nil)
    }

    /// The tag in the request, whether gzip is accepted, and whether the client has the current form already.
    @Test(arguments: [
        ("\"abc\"", false, true),
        ("\"abc-gzip\"", true, true),
        ("W/\"abc-gzip\"", true, true),
        ("\"abc\"", true, false),
        ("\"abc-gzip\"", false, false),
        ("\"x\", \"abc\"", false, true),
        ("*", false, true),
        ("\"other\"", false, false),
        ("abc", false, false),
    ]) func `a client that has the file is told so`(_ tag: String, _ acceptsGzip: Bool, _ hasIt: Bool) throws {
        var fields: Fields = [.ifNoneMatch: tag]
        if acceptsGzip { fields[.acceptEncoding] = "gzip" }
        let response = try Self.ask(Self.page, fields)
        #expect(response.status == (hasIt ? .notModified : .ok))
        #expect(response.body.isEmpty == hasIt)
        #expect(response.fields[.etag] == (acceptsGzip ? "\"abc-gzip\"" : "\"abc\""))
        #expect(response.fields[.cacheControl] != nil)
        #expect(response.fields[.vary] != nil)
    }

    @Test func `other methods are refused with the right ones`() throws {
        #expect(try Self.ask(Self.page, method: .head).status == .ok)
        let response = try Self.ask(Self.page, method: .post)
        #expect(response.status == .methodNotAllowed)
        #expect(response.fields[.allow] == "GET, HEAD")
    }
}
