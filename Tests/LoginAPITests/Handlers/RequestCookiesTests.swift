import HTTPWire
import Testing

@testable import LoginAPI

/// Tests how we read the cookies of a browser (RFC 6265 §5.4), and what is between them.
@Suite struct RequestCookiesTests {
    @Test(arguments: [
        ([], ""), (["a=b"], "a:b"), (["a=b; c=d"], "a:b c:d"), (["a=b;c=d"], "a:b c:d"), (["a=b", "c=d"], "a:b c:d"),
        (["a=b=c"], "a:b=c"), (["a="], "a:"), (["=b"], ":b"), (["a; b=c"], "b:c"), ([";;", "; a=b;"], "a:b"),
        (["a=\"b\""], "a:\"b\""),
        // For Swift the semicolon forms one character with a following mark, and the Greek question mark equals it.
        (["x=\u{600}; a=b"], "x:\u{600} a:b"), (["x=y;\u{301}z=w; a=b"], "x:y \u{301}z:w a:b"),
        (["x=\u{600}=y"], "x:\u{600}=y"), (["a=b\u{37E} c=d"], "a:b\u{37E} c=d"),
    ]) func `cookies are read as browsers send them`(_ values: [String], _ cookies: String) throws {
        var fields: Fields = [:]
        for value in values { fields.add(.cookie, value) }
        let request = try #require(Request(.get, "/", fields: fields))
        let read = RequestCookies.list(request, namePrefix: "").map { "\($0.name):\($0.value)" }.joined(separator: " ")
        #expect(Array(read.utf8) == Array(cookies.utf8))
    }

    /// Other pages of the same site may set any number of cookies.
    @Test(arguments: [0, 63, 64, 65, 1_000]) func `our cookies are found behind all others`(_ count: Int) throws {
        let others = (0..<count).map { "c\($0)=\($0); " }.joined()
        let request = try #require(Request(.get, "/", fields: [.cookie: others + "__Host-sb-x=y"]))
        let read = RequestCookies.list(request)
        #expect(read.map(\.name) == ["__Host-sb-x"])
        #expect(read.map(\.value) == ["y"])
    }
}
