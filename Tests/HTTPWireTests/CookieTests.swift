// Cookies, both ways (RFC 6265 §4).

import HTTPWire
import Testing

@Suite struct CookieTests {
    @Test(arguments: [
        (["a=b"], "a→b"), (["a=b; c=d"], "a→b|c→d"), (["a=b;c=d"], "a→b|c→d"), (["a=b", "c=d"], "a→b|c→d"),
        (["a="], "a→"),
        (["a=b=c"], "a→b=c"), (["a=\"b\""], "a→b"), (["__Host-sb-1=xyz"], "__Host-sb-1→xyz"), (["a=1; a=2"], "a→1|a→2"),
        ([" a=b ;"], "a→b"), ([], ""), ([""], ""), (["a"], ""), (["=b"], ""), (["a b=c"], ""), (["a=b c; d=e"], "d→e"),
        (["a=\"b"], ""), (["a=b,c; d=e"], "d→e"), (["a=æ; d=e"], "d→e"), (["a=b\\; d=e"], "d→e"),
        (["a =b; d=e"], "d→e"),
    ]) func comeBack(_ values: [String], _ cookies: String) {
        #expect(Cookie.list(values).map { "\($0.name)→\($0.value)" }.joined(separator: "|") == cookies)
    }

    @Test func twoOfOneName() {
        #expect(Cookie.values(named: "a", in: ["a=1; b=2", "a=3; A=4"]) == ["1", "3"])
        #expect(Cookie.values(named: "c", in: ["a=1"]) == [])
    }

    @Test func areGiven() throws {
        let cookie = try #require(SetCookie("__Host-sb-1", "xyz", sameSite: .none, maxAge: 600))
        #expect(cookie.fieldValue == "__Host-sb-1=xyz; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=None")
        let session = try #require(SetCookie("a", "", sameSite: .lax))
        #expect(session.fieldValue == "a=; Path=/; Secure; HttpOnly; SameSite=Lax")
    }

    @Test(arguments: [
        ("", "b"), ("a b", "c"), ("a;", "b"), ("a", "b;c"), ("a", "b\r\n"), ("a", "b c"), ("a=", "b"), ("a", "æ"),
    ])
    func cannotBeGiven(_ name: String, _ value: String) { #expect(SetCookie(name, value, sameSite: .strict) == nil) }
}
