import HTTPWire
import Testing

/// Entity tags and If-None-Match (RFC 9110 §8.8.3, §13.1.2).
@Suite struct EntityTagTests {
    @Test(arguments: [
        ("\"a\"", false, "a"), ("W/\"a\"", true, "a"), ("\"\"", false, ""), ("W/\"7\"", true, "7"),
        ("\"a,b\"", false, "a,b"),
        ("\"a\\b\"", false, "a\\b"), ("\"!#~\"", false, "!#~"), ("\"æ\"", false, "æ"),
    ]) func `an entity tag is read and written`(_ text: String, _ isWeak: Bool, _ opaque: String) throws {
        let tag = try #require(EntityTag(text))
        #expect(tag.isWeak == isWeak)
        #expect(tag.opaque == opaque)
        #expect(tag.description == text)
        #expect(tag == (isWeak ? EntityTag(weak: opaque) : EntityTag(strong: opaque)))
    }

    @Test(arguments: [
        "", "a", "\"a", "a\"", "w/\"a\"", "W/a", "W\"a\"", "\"a b\"", "\"a\" ", "\"a\"\"b\"", "\"\u{1}\"", "*",
    ])
    func `what is no entity tag is refused`(_ text: String) { #expect(EntityTag(text) == nil) }

    @Test(arguments: [
        (["W/\"3\""], true), (["\"3\""], true), (["\"1\", W/\"3\""], true), (["\"1\"", "\"3\""], true), (["*"], true),
        (["\"1\",,\"3\""], true), (["\"4\""], false), (["\"33\""], false), (["W/\"\""], false),
    ]) func `a list matches its tags weakly`(_ values: [String], _ matches: Bool) throws {
        let list = try #require(EntityTag.List(values))
        #expect(list.matches(EntityTag(weak: "3")) == matches)
        #expect(list.matches(EntityTag(strong: "3")) == matches)
    }

    /// A malformed field counts as absent.
    @Test(arguments: [[], [""], ["3"], ["\"3"], ["\"3\" \"4\""], ["*, \"3\""], ["\"3\"", "x"], ["W/3"], ["*", "*"]])
    func `a malformed list counts as absent`(_ values: [String]) { #expect(EntityTag.List(values) == nil) }

    /// What proxies append when they compress, and what looks like it.
    @Test(arguments: [
        ("3", "3"), ("3-gzip", "3"), ("3--gzip", "3"), ("3;gzip", "3"), ("3.gz", "3"), ("3-br", "3"), ("3-zstd", "3"),
        ("3-GZIP", "3"), ("12-gzip", "12"), ("exchanging-gzip", "exchanging"), ("awaiting_return", "awaiting_return"),
        ("a-b-gzip", "a-b"), ("3-gzip-gzip", "3-gzip"), ("3---gzip", "3-"), ("3;;gzip", "3;"), ("3:gzip", "3:gzip"),
        ("3-", "3-"), ("3-gzip9", "3-gzip9"), ("3gzip", "3gzip"), ("-gzip", ""), ("", ""), ("gzip", "gzip"),
        ("3-æ", "3-æ"),
    ]) func `the coding is removed from a tag`(_ opaque: String, _ rest: String) {
        #expect(EntityTag(weak: opaque).opaqueWithoutCoding == rest)
        #expect(EntityTag.List(["W/\"\(opaque)\""])?.matchesAnyCoding(of: EntityTag(strong: rest)) == true)
        #expect(EntityTag.List(["\"x\", \"\(opaque)\""])?.matchesAnyCoding(of: EntityTag(strong: "no")) == false)
    }
}
