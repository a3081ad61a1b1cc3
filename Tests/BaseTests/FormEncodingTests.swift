import Base
import Testing

/// Each style of form encoding escapes what its readers expect.
@Suite struct FormEncodingTests {
    @Test(
        arguments: [
            (.form, "a b~*+", "a+b~%2A%2B"), (.uri, "a b~*+", "a%20b~%2A%2B"), (.browser, "a b~*+", "a+b%7E*%2B"),
            (.form, "æ-._", "%C3%A6-._"), (.uri, "", ""),
        ] as [(FormEncoding.Style, String, String)])
    func `a text is escaped in its style`(_ style: FormEncoding.Style, _ text: String, _ encoded: String) {
        #expect(FormEncoding.encode(text, as: style) == encoded)
        #expect(FormEncoding.encode([Parameter(text, text)], as: style) == "\(encoded)=\(encoded)")
    }
}
