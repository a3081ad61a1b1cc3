import Testing

@testable import Sessions

/// RFC 3986 §6.2.2 and §6.2.3: which texts are the same URI, as RFC 9449 §4.3 compares them.
@Suite struct TargetURITests {
    static let same: [(String, String, String)] = [
        ("§6.2.2.1: scheme and host in capitals", "HTTPS://LOGIN.Example/a", "https://login.example/a"),
        ("§6.2.2.1: escapes in small letters", "https://h/%c3%a9", "https://h/%C3%A9"),
        ("§6.2.2.2: an escape of an unreserved character", "https://h/%7Ea%2Db%2e%5F%41", "https://h/~a-b._A"),
        ("§6.2.2.3: dot segments", "https://h/a/b/c/./../../g", "https://h/a/g"),
        ("§6.2.2.3: escaped dot segments", "https://h/a/%2e%2E/g", "https://h/g"),
        ("§5.2.4: above the root", "https://h/../../g", "https://h/g"),
        ("§5.2.4: at the end", "https://h/a/b/..", "https://h/a/"),
        ("§5.2.4: one dot at the end", "https://h/a/.", "https://h/a/"),
        ("§6.2.3: the usual port", "https://h:443/a", "https://h/a"),
        ("§6.2.3: the usual port of http", "http://h:80/a", "http://h/a"),
        ("§6.2.3: an empty port", "https://h:/a", "https://h/a"),
        ("§6.2.3: an empty path", "https://h", "https://h/"),
        ("§6.2.2.1: an IPv6 address", "http://[2001:DB8::1]:80/a", "http://[2001:db8::1]/a"),
        ("RFC 9449: no query", "https://h/a?b=c", "https://h/a"),
        ("RFC 9449: no fragment", "https://h/a#b?c", "https://h/a"),
        ("RFC 9449: a query at the host", "https://h?b", "https://h/"),
    ]

    @Test(arguments: Self.same)
    func `texts of the same URI are equal`(_ name: String, _ one: String, _ other: String) throws {
        let uri = try #require(TargetURI(one))
        #expect(uri == TargetURI(other))
    }

    static let different: [(String, String, String)] = [
        ("a path in capitals", "https://h/A", "https://h/a"),
        ("a slash at the end", "https://h/a/", "https://h/a"),
        ("two slashes", "https://h//a", "https://h/a"),
        ("an escaped slash", "https://h/a%2Fb", "https://h/a/b"),
        ("another scheme", "http://h/a", "https://h/a"),
        ("the other scheme's port", "http://h:443/a", "https://h/a"),
        ("another port", "https://h:444/a", "https://h/a"),
        ("a longer host", "https://h.evil/a", "https://h/a"),
        ("a dot at the end of the host", "https://h./a", "https://h/a"),
        ("three dots", "https://h/.../a", "https://h/a"),
    ]

    @Test(arguments: Self.different)
    func `texts of different URIs are unequal`(_ name: String, _ one: String, _ other: String) throws {
        let uri = try #require(TargetURI(one))
        #expect(uri != TargetURI(other))
    }

    static let refused = [
        "", "https", "https://", "https:///a", "https://?", "//h/a", "/a", "ftp://h/a", "httpss://h/a", "https:/h/a",
        "https://user@h/a", "https://user:password@h/a", "https://h%2Eevil/a", "https://h/%", "https://h/%4",
        "https://h/%zz", "https://h/a b", "https://h/\u{e9}", "https://h:port/a", "https://h:-1/a",
        "https://h:123456/a",
        "https://h/a\n", "https://:443/a", String(repeating: "https://h/", count: 300),
    ]

    @Test(arguments: Self.refused) func `what is no URI is refused`(_ text: String) { #expect(TargetURI(text) == nil) }
}
