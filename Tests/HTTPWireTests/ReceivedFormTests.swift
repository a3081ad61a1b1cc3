import Base
import HTTPWire
import TestSupport
import Testing

/// Forms and queries that a browser or a broker brings: each field is read alone (WHATWG URL §5 never fails).
@Suite struct ReceivedFormTests {
    private static let names: Set = ["state", "code", "error"]

    private static func read(_ bytes: [UInt8]) -> String {
        FormBody.read(bytes, keeping: Self.names)
            .map { "\($0.name)→\($0.isUnreadable ? "?" : $0.value)" }.joined(separator: "|")
    }

    private static let many = String(repeating: "x=1&", count: 64)

    @Test(arguments: [
        // What nobody needs.
        ("error=access_denied&error_description=afbr%F8d&state=s", "error→access_denied|state→s"),
        ("code=c&x=%zz&state=s", "code→c|state→s"), ("code=c&hint=100%&state=s", "code→c|state→s"),
        ("code=c&hint=100%2&state=s", "code→c|state→s"), ("code=c&x=%00&state=s", "code→c|state→s"),
        ("code=c&x=%1B[31m&state=s", "code→c|state→s"), ("code=c&x=a b&state=s", "code→c|state→s"),
        ("code=c&x=%ed%a0%80&state=s", "code→c|state→s"), ("code=c&x=%c0%af&state=s", "code→c|state→s"),
        ("%ff=a&code=c", "code→c"), ("%=&%zz&code=c&%", "code→c"), ("co%zzde=x&code=c", "code→c"),
        ("code%00=x&code=c", "code→c"), ("\u{7F}=1&code=c", "code→c"),
        // What is needed is not lost.
        ("code=%zz&state=s", "code→?|state→s"), ("code=%F8&state=s", "code→?|state→s"),
        ("code=c%00&state=s", "code→?|state→s"), ("code=c&state=%", "code→c|state→?"),
        ("code=%zz&code=c&state=s", "code→?|code→c|state→s"), ("c%6Fde=%zz&code=c", "code→?|code→c"),
        ("%63%6F%64%65=%F8", "code→?"), ("code=c&c%6Fde=d", "code→c|code→d"), ("code&code=", "code→|code→"),
        ("code=%EF%BF%BD", "code→?"),
        // Others of their names.
        ("Code=%zz&code+=%zz&+code=%zz&code=c", "code→c"), ("code%20=1", "code →1"),
        ("", ""), ("&&", ""), ("=", "→"),
    ]) func `each field is read alone`(_ text: String, _ fields: String) {
        #expect(Self.read(Array(text.utf8)) == fields)
    }

    /// A second one is found behind any number of others, and those are cut off.
    @Test(arguments: ["code=d", "c%6Fde=d", "code=%zz", "state=t", "error=e"])
    func `a second field is found behind others`(_ second: String) throws {
        let fields = FormBody.read(
            Array("code=c&state=s&\(Self.many)\(Self.many)y=1&\(second)".utf8), keeping: Self.names)
        #expect(fields.count == 2 + 64 + 1)
        #expect(Self.names.contains(try #require(fields.last).name))
        #expect(!fields.contains { $0.name == "y" })
    }

    /// Browsers escape such bytes in a redirect, but a form's body may have them.
    @Test func `bytes of another encoding are no field`() {
        let bytes = Array("x=afbr".utf8) + [0xF8] + Array("d&code=c&state=".utf8) + [0xF8]
        #expect(Self.read(bytes) == "code→c|state→?")
    }

    /// For any input: it agrees with the strict reader where that reads, and what is kept does not depend on the rest.
    @Test(arguments: 1...4) func `a form is read the same whatever is around a field`(_ seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let parts = [
            "code", "c%6Fde", "state", "error", "x", "=", "=", "&", "&", "&", "%", "%zz", "%ff", "%C3%A6", "æ", "+",
            " ",
            "%00", "a=1&a=2", "\u{1}",
        ]
        func sample() -> [UInt8] {
            (0..<Int.random(in: 0...40, using: &random)).flatMap { _ in
                Array((parts.randomElement(using: &random) ?? "").utf8)
            }
        }
        for _ in 0..<500 {
            let (a, b) = (sample(), sample())
            let read = FormBody.read(a, keeping: Self.names)
            if let strict = try? FormBody.parse(a) { #expect(read == strict) }
            #expect(read.allSatisfy { Self.names.contains($0.name) || !$0.isUnreadable })
            func kept(_ bytes: [UInt8]) -> [Parameter] {
                FormBody.read(bytes, keeping: Self.names).filter { Self.names.contains($0.name) }
            }
            let separator = [UInt8(ascii: "&")]
            #expect(kept(a + separator + b) == kept(a) + kept(b))
            #expect(kept(Array(Self.many.utf8) + a) == kept(a))
        }
    }
}
