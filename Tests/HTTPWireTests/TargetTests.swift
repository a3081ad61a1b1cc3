import HTTPWire
import Testing

/// The target of a request (RFC 9112 §3.2, RFC 3986 §3).
@Suite struct TargetTests {
    private static func request(_ target: String, _ method: String = "GET") -> String {
        "\(method) \(target) HTTP/1.1\r\nHost: a\r\n\r\n"
    }

    private static func refuses(_ name: String, _ target: String, _ method: String = "GET") -> Refused {
        Refused(name, Self.request(target, method), .badTarget)
    }

    private static func takes(_ name: String, _ target: String, _ method: String = "GET") -> Taken {
        Taken(name, Self.request(target, method), "\(method) \(target)")
    }

    static let refused: [Refused] = [
        refuses("RFC 9112 §3.2: no slash first", "path"),
        refuses("RFC 9112 §3.2: a fragment", "/path#part"),
        refuses("RFC 9112 §3.2: a fragment behind a query", "/path?a=b#part"),
        refuses("RFC 3986 §2.1: a percent sign alone", "/%"),
        refuses("RFC 3986 §2.1: half an escape", "/a%2"),
        refuses("RFC 3986 §2.1: an escape of no digits", "/%zz"),
        refuses("RFC 3986 §3.3: a backslash", "/a\\b"),
        refuses("RFC 3986 §3.3: angle brackets", "/<script>"),
        refuses("RFC 3986 §3.3: a quote", "/\"a\""),
        refuses("RFC 3986 §3.3: braces", "/{id}"),
        refuses("RFC 3986 §3.3: a square bracket", "/a[0]"),
        refuses("RFC 3986 §3.3: NUL", "/\u{00}"),
        refuses("RFC 3986 §3.3: a control byte", "/\u{7F}"),
        refuses("RFC 3986 §3.3: UTF-8 that is not escaped", "/\u{C3}\u{A6}"),
        refuses("RFC 3986 §3.4: angle brackets in a query", "/?a=<b>"),
        refuses("RFC 3986 §3.4: a quote in a query", "/?a=\"b\""),
        refuses("RFC 3986 §3.4: a control byte in a query", "/?a=\u{1F}"),
        refuses("RFC 3986 §3.4: UTF-8 in a query", "/?a=\u{C3}\u{A6}"),
        refuses("RFC 9112 §3.2.2: another scheme", "ftp://a/"),
        refuses("RFC 9112 §3.2.2: a scheme and nothing", "http://"),
        refuses("RFC 9112 §3.2.2: one slash", "http:/a/"),
        refuses("RFC 9110 §4.2.1: no host", "http:///path"),
        refuses("RFC 9110 §4.2.4: user information", "http://user:word@a/"),
        refuses("RFC 9112 §3.2.2: a bad port", "http://a:8o/"),
        refuses("RFC 9112 §3.2.2: a bad host", "http://a_[b/"),
        refuses("RFC 9112 §3.2.2: a backslash for a slash", "http://a\\b"),
        refuses("RFC 9112 §3.2.3: CONNECT without a port", "a.example", "CONNECT"),
        refuses("RFC 9112 §3.2.3: CONNECT with an empty port", "a.example:", "CONNECT"),
        refuses("RFC 9112 §3.2.3: CONNECT with a path", "/", "CONNECT"),
        refuses("RFC 9112 §3.2.3: host and port for GET", "a.example:443"),
        refuses("RFC 9112 §3.2.4: the asterisk for GET", "*"),
        refuses("RFC 9112 §3.2.4: an asterisk and more", "*/", "OPTIONS"),
    ]

    static let taken: [Taken] = [
        takes("RFC 9112 §3.2.1: a path", "/v1/logins/abc_-."),
        takes("RFC 9112 §3.2.1: path and query", "/callback/b?code=x&state=y"),
        takes("RFC 9112 §3.2.1: empty segments", "//a//"),
        takes("RFC 9112 §3.2.1: dot segments are left as they are", "/a/../b/./c"),
        takes("RFC 3986 §3.3: all that a segment may have", "/-._~!$&'()*+,;=:@%20%ff"),
        takes("RFC 3986 §3.4: an empty query", "/?"),
        takes("RFC 3986 §3.4: slashes and question marks in a query", "/?a=/b?c"),
        takes("WHATWG URL §4.4: what browsers leave in a query", "/?a=|{}[]^`\\'%"),
        takes("RFC 9112 §3.2.2: absolute", "http://a.example/path?q"),
        takes("RFC 9112 §3.2.2: absolute, https, port, capitals", "HTTPS://A.example:8443/"),
        takes("RFC 9112 §3.2.2: absolute without a path", "http://a.example"),
        takes("RFC 9112 §3.2.2: absolute with a query only", "http://a.example?q"),
        takes("RFC 9112 §3.2.2: absolute with an address", "http://[2001:db8::1]:80/"),
        takes("RFC 9112 §3.2.3: CONNECT", "a.example:443", "CONNECT"),
        takes("RFC 9112 §3.2.4: the asterisk", "*", "OPTIONS"),
        takes("RFC 9112 §3.2.1: OPTIONS of a path", "/path", "OPTIONS"),
    ]

    @Test(arguments: refused) func `malformed targets are refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `valid targets are accepted`(_ line: Taken) { line.check() }

    /// Target, form, path, query.
    @Test(
        arguments: [
            ("/a/b", Target.Form.origin, "/a/b", nil), ("/a?b=c", .origin, "/a", "b=c"), ("/?", .origin, "/", ""),
            ("/a?b?c", .origin, "/a", "b?c"), ("/%2e%2E/x", .origin, "/%2e%2E/x", nil),
            ("http://h:1/a?b", .absolute, "/a", "b"), ("http://h", .absolute, "/", nil),
            ("http://h?b", .absolute, "/", "b"),
        ] as [(String, Target.Form, String, String?)])
    func `a target is split into its parts`(_ text: String, _ form: Target.Form, _ path: String, _ query: String?)
        throws
    {
        let target = try #require(Target(text))
        #expect(target.raw == text)
        #expect(target.form == form)
        #expect(target.path == path)
        #expect(target.query == query)
    }

    @Test func `the other forms belong to their methods`() {
        #expect(Target("*", of: .options)?.form == .asterisk)
        #expect(Target("a:1", of: .connect)?.form == .authority)
        #expect(Target("*") == nil)
        #expect(Target("") == nil)
    }

    @Test(arguments: [
        ("/", [""]), ("/a", ["a"]), ("/a/", ["a", ""]), ("//a", ["", "a"]),
        ("/v1/logins/x?y=/z", ["v1", "logins", "x"]),
    ]) func `a path has its segments`(_ text: String, _ segments: [Substring]) {
        #expect(Target(text)?.segments == segments)
    }
}
