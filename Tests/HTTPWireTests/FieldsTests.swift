import HTTPWire
import Testing

/// Names and fields (RFC 9110 §5.1 to §5.3).
@Suite struct FieldsTests {
    @Test(arguments: [
        ("Content-Type", FieldName.contentType), ("content-type", .contentType), ("CONTENT-TYPE", .contentType),
        ("etag", .etag), ("WWW-authenticate", .wwwAuthenticate), ("X-Forwarded-For", .xForwardedFor), ("host", .host),
        ("sec-purpose", .secPurpose), ("X-Own", "x-own"), ("x-OWN", "X-own"),
    ]) func `the case of a name does not matter`(_ text: String, _ name: FieldName) {
        #expect(FieldName(text) == name)
        #expect(name.rawValue == text.lowercased())
    }

    @Test(arguments: ["", " ", "a b", "a:", "a\r\n", "\u{0}", "æ", "a(b)", "a,b", "@", "é"])
    func `what is no field name is refused`(_ text: String) { #expect(FieldName(text) == nil) }

    /// Unknown names that agree with a known one in everything that the table's hash uses.
    @Test(arguments: ["hxst", "conteNt-lengtx", "xontent-length", "content_length", "contant-length", "h", "hostt"])
    func `an unknown name is not mistaken for a known one`(_ text: String) throws {
        let name = try #require(FieldName(text))
        #expect(name.rawValue == text.lowercased())
        #expect(name != .host && name != .contentLength)
    }

    @Test func `every letter of a name counts`() throws {
        for known in [FieldName.contentLength, .transferEncoding, .host, .authorization, .ifNoneMatch] {
            for index in known.rawValue.utf8.indices {
                var text = Array(known.rawValue.utf8)
                text[known.rawValue.utf8.distance(from: known.rawValue.startIndex, to: index)] = UInt8(ascii: "q")
                let other = try #require(FieldName(String(decoding: text, as: UTF8.self)))
                #expect(other != known || text == Array(known.rawValue.utf8))
            }
        }
    }

    @Test func `a field gives one value or all`() {
        var fields: Fields = [.accept: "a", .etag: "b", .accept: "c"]
        #expect(fields[.accept] == "a")
        #expect(fields.all(.accept) == ["a", "c"])
        #expect(fields.all(.cookie) == [])
        #expect(fields[.cookie] == nil)
        #expect([FieldName.accept, .etag, .cookie].map { fields.has($0) } == [true, true, false])
        #expect([FieldName.accept, .etag, .cookie].map { fields.only($0) } == [nil, "b", nil])
        fields.add(.accept, "d")
        #expect(fields.all(.accept) == ["a", "c", "d"])
        #expect(fields.map(\.value) == ["a", "b", "c", "d"])
        #expect(fields.count == 4)
    }

    @Test func `setting a field leaves one value`() {
        var fields: Fields = [.accept: "a", .etag: "b", .accept: "c"]
        fields[.accept] = "x"
        #expect(fields == [.accept: "x", .etag: "b"])
        fields[.vary] = "y"
        #expect(fields == [.accept: "x", .etag: "b", .vary: "y"])
        fields[.accept] = nil
        #expect(fields == [.etag: "b", .vary: "y"])
        fields.remove(.etag)
        fields.remove(.etag)
        #expect(fields == [.vary: "y"])
        fields[.vary] = nil
        #expect(fields.isEmpty)
    }
}
