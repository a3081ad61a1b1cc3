import Base
import HTTPWire
import Testing

/// Forms and query strings (WHATWG URL §5).
@Suite struct FormBodyTests {
    private static func read(_ text: String) -> String {
        guard let fields = try? FormBody.parse(text) else { return "refused" }
        return fields.map { "\($0.name)→\($0.value)" }.joined(separator: "|")
    }

    @Test(arguments: [
        ("", ""), ("a=b", "a→b"), ("a=b&c=d", "a→b|c→d"), ("a", "a→"), ("a=", "a→"), ("=b", "→b"), ("=", "→"),
        ("a=b=c", "a→b=c"), ("a=b&&c=d", "a→b|c→d"), ("&a=b&", "a→b"), ("a=1&a=2", "a→1|a→2"), ("a+b=c+d", "a b→c d"),
        ("a=%2B%20%26%3D", "a→+ &="), ("%61=%62", "a→b"), ("a=%c3%a6", "a→æ"), ("a=%C3%A6", "a→æ"), ("a=æ", "a→æ"),
        ("a=%0D%0A%09", "a→\r\n\t"), ("a=b;c=d", "a→b;c=d"), ("a=?/:@", "a→?/:@"), ("code=x&state=y", "code→x|state→y"),
    ]) func `forms and queries are read`(_ text: String, _ fields: String) { #expect(Self.read(text) == fields) }

    @Test(arguments: [
        ("a=%", FormBodyError.badEscape), ("a=%2", .badEscape), ("a=%zz", .badEscape), ("%=b", .badEscape),
        ("a=%%20", .badEscape), ("a=%+2", .badEscape), ("a=b%00", .controlCharacter), ("a%00=b", .controlCharacter),
        ("a=%1B", .controlCharacter), ("a=%7F", .controlCharacter), ("a=\u{0}", .controlCharacter),
        ("a=b c", .controlCharacter), ("a=b\r\n", .controlCharacter), ("a=\u{7F}", .controlCharacter),
        ("a=%ff", .notUTF8), ("a=%c3", .notUTF8), ("a=%ed%a0%80", .notUTF8), ("a=%c0%af", .notUTF8),
        ("%ff=a", .notUTF8),
        (String(repeating: "a&", count: 65), .tooManyFields),
    ]) func `malformed forms are refused`(_ text: String, _ failure: FormBodyError) {
        #expect(throws: failure) { try FormBody.parse(text) }
        #expect(throws: failure) { try FormBody.parse(Array(text.utf8)) }
    }

    @Test func `all failures of forms are shown`() {
        #expect(FormBodyError.allCases.count == 4)
        #expect(throws: FormBodyError.notUTF8) { try FormBody.parse([UInt8(ascii: "a"), 0xFF]) }
    }

    @Test func `the limit of fields is exact`() throws {
        #expect(try FormBody.parse("a&b&c", limit: 3).count == 3)
        #expect(throws: FormBodyError.tooManyFields) { try FormBody.parse("a&b&c", limit: 2) }
    }

    @Test(
        arguments: [
            ([], ""), ([("a", "b")], "a=b"), ([("a", ""), ("", "b")], "a=&=b"), ([("a b", "c+d")], "a+b=c%2Bd"),
            ([("æ", "€")], "%C3%A6=%E2%82%AC"), ([("*-._~", "!'()")], "*-._%7E=%21%27%28%29"),
            ([("a", "b&c=d%")], "a=b%26c%3Dd%25"), ([("u", "https://a/b?c#d")], "u=https%3A%2F%2Fa%2Fb%3Fc%23d"),
        ] as [([(String, String)], String)]) func `a form is written and read back`(
            _ fields: [(String, String)], _ text: String
        ) throws
    {
        let fields = fields.map { Parameter($0.0, $0.1) }
        #expect(FormBody.encode(fields) == text)
        #expect(try FormBody.parse(text) == fields)
    }
}
