import Base
import Testing

/// A secret cannot be printed by accident.
@Suite struct SecretTests {
    static let word = "correct horse"
    let secret = Secret(SecretTests.word)

    @Test func `a secret prints as secret however it is printed`() {
        var dumped = ""
        dump(["key": self.secret], to: &dumped)
        let printed = [
            "\(self.secret)", String(describing: self.secret), String(reflecting: self.secret),
            "\([self.secret])", "\(Optional(self.secret) as Any)", "\((1, self.secret))", dumped,
        ]
        for text in printed {
            #expect(text.contains("‹secret›"))
            #expect(!text.contains("correct"))
            #expect(!text.contains("99"), "not as a list of bytes either")
        }
        #expect(Mirror(reflecting: self.secret).children.isEmpty)
    }

    @Test func `a secret is what it was made from`() {
        #expect(self.secret.exposedText == Self.word)
        #expect(self.secret.exposed == Array(Self.word.utf8))
        #expect(self.secret.count == 13)
    }

    static let pairs: [(String, String, Bool)] = [
        ("", "", true),
        ("a", "a", true),
        ("a", "b", false),
        ("ab", "a", false),
        ("a", "ab", false),
        ("", "a", false),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz", true),
        ("abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyZ", false),
        ("Abcdefghijklmnopqrstuvwxyz", "abcdefghijklmnopqrstuvwxyz", false),
    ]

    @Test(arguments: pairs)
    func `a secret is equal to the same bytes only`(_ one: String, _ other: String, _ isEqual: Bool) {
        #expect((Secret(one) == Secret(other)) == isEqual)
        #expect(equalInConstantTime(Array(one.utf8), Array(other.utf8)) == isEqual)
    }

    /// Each pair is equal to Swift's `==`, but has different bytes.
    static let lookalikes: [(String, String)] = [
        ("\u{212A}", "K"),
        ("\u{E9}", "e\u{301}"),
        ("a\u{323}\u{307}", "a\u{307}\u{323}"),
    ]

    @Test(arguments: lookalikes)
    func `texts that only look the same are not identical`(_ one: String, _ other: String) {
        #expect(one == other)
        #expect(!identical(one, other))
        #expect(identical(one, one))
        #expect(Secret(one) != Secret(other))
    }
}
