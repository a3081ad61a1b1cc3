import StrictJSON
import Testing

/// Strings of every short length with a special character at every position, because we handle eight bytes at a time.
@Suite struct JSONPlainTextTests {
    static let special: [(character: String, written: String)] = [
        ("\"", #"\""#), ("\\", #"\\"#), ("\n", #"\n"#), ("\u{1F}", #"\u001f"#), ("\u{7F}", "\u{7F}"), ("é", "é"),
        ("😀", "😀"),
    ]

    @Test(arguments: special)
    func `a special character is handled at every place`(_ character: String, _ written: String) throws {
        for length in 0...20 {
            for place in 0...length {
                let before = String(repeating: "a", count: place)
                let after = String(repeating: " ", count: length - place)
                let value = JSON.string(before + character + after)
                let text = "\"" + before + written + after + "\""
                #expect(value.encoded() == Array(text.utf8))
                #expect(try JSON(parsing: Array(text.utf8)) == value)
            }
        }
    }

    @Test func `a control character is refused anywhere`() {
        for length in 0...20 {
            for place in 0...length {
                var bytes = Array(("\"" + String(repeating: "a", count: length) + "\"").utf8)
                bytes.insert(0x1F, at: place + 1)
                #expect(throws: JSONError.controlCharacter) { try JSON(parsing: bytes) }
                #expect(throws: JSONError.controlCharacter) { try JSON(parsing: Array(bytes.dropLast())) }
            }
        }
    }

    @Test func `the end of the text is no end of a string`() {
        for length in 0...20 {
            #expect(throws: JSONError.endsEarly) {
                try JSON(parsing: Array(("\"" + String(repeating: "a", count: length)).utf8))
            }
        }
    }

    @Test func `an object is read member by member`() throws {
        #expect(JSONObjectWriter().finish() == Array("{}".utf8))
        var object = JSONObjectWriter()
        object.add(named: "a\"", "b\\")
        object.add("n", -7)
        object.add("o", ["p": true] as JSON)
        object.add("t", "plain")
        object.add("e", "\n\"\u{1}æ")
        object.add("y", true)
        object.add("z", orNull: nil)
        object.add("i") { inner in
            inner.add("empty") { _ in }
            inner.add("texts", ["a", "\\"])
            inner.add("none", orNull: "some")
        }
        object.add("last", false)
        let expected: JSON = [
            "a\"": "b\\", "n": -7, "o": ["p": true], "t": "plain", "e": "\n\"\u{1}æ", "y": true, "z": .null,
            "i": ["empty": [:], "texts": ["a", "\\"], "none": "some"], "last": false,
        ]
        #expect(object.finish() == expected.encoded())
    }
}
