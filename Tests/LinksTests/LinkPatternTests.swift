import StrictJSON
import Testing

@testable import Links

/// Apple's patterns: `*` matches any number of characters, `?` matches one. Patterns for more than a path are ignored.
@Suite struct LinkPatternTests {
    @Test(arguments: [
        ("/r/*", "/r/", true), ("/r/*", "/r/x", true), ("/r/*", "/r/x/y", true), ("/r/*", "/r", false),
        ("/r/*", "/R/x", false), ("*", "", true), ("*", "/", true), ("/r", "/r", true), ("/r", "/r/", false),
        ("/?/*", "/r/x", true), ("/?/*", "//x", false), ("/*/x", "/a/b/x", true), ("/*/x", "/a/b/y", false),
        ("/a*b*c", "/abbbc", true), ("/a*b*c", "/abbb", false), ("", "", true), ("", "/", false),
        ("/r/**", "/r/", true),
    ]) func `a pattern fits its paths only`(_ pattern: String, _ path: String, _ fits: Bool) {
        #expect(LinkPattern(pattern).fits(path) == fits)
    }

    @Test(
        arguments: [
            (#"{"/":"/r/*"}"#, LinkPattern("/r/*")), (#"{"/":"/r/*","comment":"x"}"#, LinkPattern("/r/*")),
            (#"{"/":"/r/*","exclude":true}"#, LinkPattern("/r/*", isExcluded: true)), ("{}", LinkPattern("*")),
            (#"{"/":"/r/*","?":{"p":"*"}}"#, nil), (##"{"/":"/r/*","#":"x"}"##, nil), (#"{"/":"/$(lang)/*"}"#, nil),
            (#"{"/":"/r/*","?":"x","exclude":true}"#, LinkPattern("/r/*", isExcluded: true)),
        ] as [(String, LinkPattern?)]) func `a component is read as a pattern`(
            _ component: String, _ pattern: LinkPattern?
        ) throws
    {
        #expect(LinkPattern(component: try JSON(parsing: Array(component.utf8))) == pattern)
    }

    @Test func `the older form is read too`() {
        #expect(LinkPattern(path: "/r/*") == LinkPattern("/r/*"))
        #expect(LinkPattern(path: "NOT /r/*") == LinkPattern("/r/*", isExcluded: true))
    }
}
