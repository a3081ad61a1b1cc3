import HTTPWire
import Testing

/// The Host field (RFC 9112 §3.2, RFC 9110 §7.2).
@Suite struct HostTests {
    private static func request(_ host: String) -> String { "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n" }

    private static func refuses(_ name: String, _ host: String) -> Refused {
        Refused(name, Self.request(host), .badHost)
    }

    private static func takes(_ name: String, _ host: String) -> Taken { Taken(name, Self.request(host), "GET /") }

    static let refused: [Refused] = [
        Refused("RFC 9112 §3.2: none", "GET / HTTP/1.1\r\n\r\n", .badHost),
        Refused("RFC 9112 §3.2: two", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", .badHost),
        Refused("RFC 9112 §3.2: two alike", "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", .badHost),
        Refused("RFC 9112 §3.2: two in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .badHost),
        Refused("RFC 9112 §3.2: a bad one in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a/b\r\n\r\n", .badHost),
        Refused("RFC 9112 §3.2.2: none beside an absolute target", "GET http://a/ HTTP/1.1\r\n\r\n", .badHost),
        refuses("RFC 9110 §4.2.1: empty", ""),
        refuses("RFC 9110 §4.2.1: only a port", ":80"),
        refuses("RFC 9110 §7.2: a list", "a, b"),
        refuses("RFC 9110 §7.2: a path", "a/b"),
        refuses("RFC 9110 §7.2: a URL", "http://a"),
        refuses("RFC 9110 §7.2: user information", "user@a"),
        refuses("RFC 9110 §7.2: a space", "a b"),
        refuses("RFC 9110 §7.2: a query", "a?b"),
        refuses("RFC 3986 §3.2.2: beyond ASCII", "\u{C3}\u{A6}.example"),
        refuses("RFC 3986 §3.2.2: half an escape", "a%2"),
        refuses("RFC 3986 §3.2.2: an open bracket", "[::1"),
        refuses("RFC 3986 §3.2.2: no address in brackets", "[abc]"),
        refuses("RFC 3986 §3.2.2: nothing in brackets", "[]"),
        refuses("RFC 3986 §3.2.2: IPv4 in brackets", "[127.0.0.1]"),
        refuses("RFC 3986 §3.2.2: text behind brackets", "[::1]a"),
        refuses("RFC 3986 §3.2.2: IPv6 without brackets", "::1"),
        refuses("RFC 6874 §2: a zone", "[fe80::1%25eth0]"),
        refuses("RFC 3986 §3.2.3: a port of letters", "a:http"),
        refuses("RFC 3986 §3.2.3: two ports", "a:1:2"),
        refuses("RFC 3986 §3.2.3: a negative port", "a:-1"),
        refuses("RFC 3986 §3.2.3: six digits", "a:000080"),
    ]

    static let taken: [Taken] = [
        takes("RFC 9112 §3.2: a name", "login.example.com"),
        takes("RFC 9112 §3.2: name and port", "login.example.com:8443"),
        takes("RFC 3986 §3.2.3: an empty port", "login.example.com:"),
        takes("RFC 3986 §3.2.2: IPv4", "127.0.0.1:80"),
        takes("RFC 3986 §3.2.2: IPv6", "[::1]:80"),
        takes("RFC 3986 §3.2.2: IPv6 without port", "[2001:db8::1]"),
        takes("RFC 3986 §3.2.2: an escape", "a%20b"),
        takes("RFC 3986 §3.2.2: an underscore, as in names of containers", "login_backend"),
        Taken("RFC 9112 §3.2: none in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "GET /"),
        Taken("RFC 9112 §3.2: one in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\n\r\n", "GET /"),
        Taken(
            "RFC 9112 §3.2.2: another than the target's", "GET http://a/ HTTP/1.1\r\nHost: b\r\n\r\n", "GET http://a/"),
    ]

    @Test(arguments: refused) func `malformed hosts are refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `valid hosts are accepted`(_ line: Taken) { line.check() }
}
