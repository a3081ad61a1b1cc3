import OpenIDConnect
import Testing

/// Which texts are URLs of a provider, and which hosts we accept.
@Suite struct EndpointURLTests {
    @Test(
        arguments: [
            ("https://id.example", "https://id.example", "", nil),
            ("https://id.example/", "https://id.example", "/", nil),
            ("HTTPS://ID.Example/a", "https://id.example", "/a", nil),
            ("https://id.example:443/op", "https://id.example", "/op", nil),
            ("https://id.example:8443/op?p=x&q", "https://id.example:8443", "/op", "p=x&q"),
            ("https://id.example?", "https://id.example", "", ""),
            ("http://127.0.0.1:8081/a%2Fb", "http://127.0.0.1:8081", "/a%2Fb", nil),
            ("http://[::1]:8081", "http://[::1]:8081", "", nil),
            ("https://[2001:DB8::7]/x", "https://[2001:db8::7]", "/x", nil),
            ("https://[1:2:3:4:5:6:7:8]", "https://[1:2:3:4:5:6:7:8]", "", nil),
            ("https://a_b.id.example/~x/;y=1,2'()*!$&+", "https://a_b.id.example", "/~x/;y=1,2'()*!$&+", nil),
        ] as [(String, String, String, String?)])
    func `a URL is read into its parts`(_ text: String, _ origin: String, _ path: String, _ query: String?) throws {
        let url = try #require(EndpointURL(text))
        #expect(url.text == text)
        #expect(url.origin == origin)
        #expect(url.path == path)
        #expect(url.query == query)
    }

    @Test(arguments: [
        "", "https", "https:", "https:/", "https://", "https:///x", "//id.example", "/x", "ftp://id.example",
        "javascript://id.example", "https://user@id.example", "https://user:word@id.example", "https://@id.example",
        "https://id.example#", "https://id.example/#x", "https://id.example/ x", "https://id.example/\u{0}",
        "https://id.example/\r\nHost: x", "https://id.exämple", "https://id.example/ä", "https://id.example\\x",
        "https://id.example/\\x", "https://id.example/%", "https://id.example/%2", "https://id.example/%zz",
        "https://id.example/<x>", "https://id.example/\"", "https://id.example/?a|b", "https://id.example:",
        "https://id.example:0", "https://id.example:65536", "https://id.example:+80", "https://id.example:99999999999",
        "https://id.example:80:80", "https://.id.example", "https://id.example.", "https://id..example",
        "https://id%2eexample", "https://2130706433", "https://127.1", "https://0x7f.0.0.1", "https://0x7f.1",
        "https://127.0.0.01", "https://256.1.1.1", "https://1.2.3.4.5", "https://[::1", "https://::1",
        "https://[::1]x", "https://[::1%25lo]", "https://[1::2::3]", "https://[:::]", "https://[1:2:3:4:5:6:7]",
        "https://[1:2:3:4:5:6:7:8:9]", "https://[12345::]", "https://[::127.0.0.1]", "https://[]",
        "https://[id.example]",
        " https://id.example", "https://id.example ", "https://id.example/[x]",
    ])
    func `what is no URL of a provider is refused`(_ text: String) {
        #expect(EndpointURL(text) == nil)
    }

    @Test func `a URL that is too long is refused`() {
        #expect(EndpointURL("https://id.example/" + String(repeating: "x", count: 2048)) == nil)
        #expect(EndpointURL("https://" + String(repeating: "x", count: 64) + ".example") == nil)
        #expect(EndpointURL("https://" + String(repeating: "x.", count: 127) + "example") == nil)
    }

    @Test(arguments: [
        ("http://localhost", true), ("http://LOCALHOST:1", true), ("http://127.0.0.1", true),
        ("http://127.255.3.4", true), ("http://[::1]", true), ("http://128.0.0.1", false),
        ("http://127.example", false), ("http://localhost.example", false), ("http://[::2]", false),
    ])
    func `loopback hosts are known`(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(EndpointURL(text)).isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("https://id.example/x", nil), ("https://ID.EXAMPLE:8443/x", nil), ("https://api.example/x", nil),
            ("https://evil.example/x", .host), ("https://id.example.evil.example/x", .host),
            ("https://xid.example/x", .host), ("http://id.example/x", .insecure), ("http://localhost/x", .insecure),
            ("https://id.example@evil.example/x", .url), ("id.example", .url),
        ] as [(String, EndpointPolicyError?)])
    func `endpoints are the issuer's or listed`(_ text: String, _ expected: EndpointPolicyError?) throws {
        let policy = EndpointPolicy(hosts: ["API.example"])
        let issuer = try policy.issuer("https://id.example/op")
        let broken = refusal { () throws(EndpointPolicyError) in try policy.endpoint(text, of: issuer) }
        #expect(broken == expected)
    }

    @Test func `loopback without TLS is allowed on request only`() throws {
        #expect(throws: EndpointPolicyError.insecure) { try EndpointPolicy().issuer("http://localhost:8081") }
        let policy = EndpointPolicy(allowInsecureLoopback: true)
        let issuer = try policy.issuer("http://localhost:8081")
        #expect(throws: Never.self) { try policy.endpoint("http://localhost:8082/x", of: issuer) }
        #expect(throws: EndpointPolicyError.host) { try policy.endpoint("http://127.0.0.1:8081/x", of: issuer) }
        #expect(throws: EndpointPolicyError.insecure) { try policy.issuer("http://id.example") }
        #expect(throws: EndpointPolicyError.url) { try policy.issuer("https://id.example?x") }
    }
}
