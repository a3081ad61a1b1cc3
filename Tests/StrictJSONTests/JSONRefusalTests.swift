import StrictJSON
import Testing

/// Every JSON text that we refuse, and its error. A new trick is one more line here.
@Suite struct JSONRefusalTests {
    static let refused: [(section: String, text: String, failure: JSONError)] = [
        ("§2 nothing", "", .endsEarly),
        ("§2 only blanks", " \n", .endsEarly),
        ("§2 two values", "1 2", .trailingBytes),
        ("§2 two values", "{}{}", .trailingBytes),
        ("§2 a bracket too many", "[]]", .trailingBytes),
        ("§2 a comma after the value", "{},", .trailingBytes),
        ("§2 a zero byte after the value", "{}\u{0}", .trailingBytes),
        ("§2 form feed is no blank", "\u{C}1", .unexpectedByte),
        ("§2 vertical tab is no blank", "[\u{B}1]", .unexpectedByte),
        ("§2 no-break space is no blank", "\u{A0}1", .unexpectedByte),
        ("§2 comment", "/* */ 1", .unexpectedByte),
        ("§2 comment", "1 // one", .trailingBytes),
        ("§3 case", "True", .unexpectedByte),
        ("§3 case", "nUll", .badLiteral),
        ("§3 cut", "tru", .endsEarly),
        ("§3 longer", "truex", .trailingBytes),
        ("§3 other words", "undefined", .unexpectedByte),
        ("§3 other words", "nil", .badLiteral),
        ("§4 not closed", "{", .endsEarly),
        ("§4 not closed", #"{"a":1"#, .endsEarly),
        ("§4 not closed", #"{"a":1,"#, .endsEarly),
        ("§4 no value", #"{"a":}"#, .unexpectedByte),
        ("§4 no value", #"{"a"}"#, .unexpectedByte),
        ("§4 no name", "{:1}", .unexpectedByte),
        ("§4 bare name", "{a:1}", .unexpectedByte),
        ("§4 name in single quotes", "{'a':1}", .unexpectedByte),
        ("§4 number as name", "{1:1}", .unexpectedByte),
        ("§4 final comma", #"{"a":1,}"#, .unexpectedByte),
        ("§4 comma first", #"{,"a":1}"#, .unexpectedByte),
        ("§4 two commas", #"{"a":1,,"b":2}"#, .unexpectedByte),
        ("§4 no comma", #"{"a":1 "b":2}"#, .unexpectedByte),
        ("§4 two colons", #"{"a"::1}"#, .unexpectedByte),
        ("§4 equals sign", #"{"a"=1}"#, .unexpectedByte),
        ("§4 closed as an array", #"{"a":1]"#, .unexpectedByte),
        ("§4 name twice", #"{"a":1,"a":1}"#, .duplicateMember),
        ("§4 name twice, apart", #"{"a":1,"b":2,"a":3}"#, .duplicateMember),
        ("§4 name twice, once escaped", #"{"alg":1,"\u0061lg":2}"#, .duplicateMember),
        ("§4 name twice, deeper", #"[{"a":{"b":1,"b":2}}]"#, .duplicateMember),
        ("§4 name twice, empty", #"{"":1,"":2}"#, .duplicateMember),
        ("§4 name twice to Unicode", "{\"\u{E9}\":1,\"e\u{301}\":2}", .duplicateMember),
        ("§5 not closed", "[", .endsEarly),
        ("§5 not closed", "[1", .endsEarly),
        ("§5 not closed", "[1,", .endsEarly),
        ("§5 final comma", "[1,]", .unexpectedByte),
        ("§5 comma first", "[,1]", .unexpectedByte),
        ("§5 two commas", "[1,,2]", .unexpectedByte),
        ("§5 no comma", "[1 2]", .unexpectedByte),
        ("§5 colon", "[1:2]", .unexpectedByte),
        ("§5 closed as an object", "[1}", .unexpectedByte),
        ("§6 leading zero", "01", .badNumber),
        ("§6 leading zero", "-01", .badNumber),
        ("§6 leading zeros", "00", .badNumber),
        ("§6 leading zero before a fraction", "00.5", .badNumber),
        ("§6 plus sign", "+1", .unexpectedByte),
        ("§6 no digits", "-", .endsEarly),
        ("§6 no digits", "-a", .badNumber),
        ("§6 two signs", "--1", .badNumber),
        ("§6 no whole part", ".5", .unexpectedByte),
        ("§6 no fraction", "1.", .endsEarly),
        ("§6 no fraction", "[1.]", .badNumber),
        ("§6 no exponent", "1e", .endsEarly),
        ("§6 no exponent", "[1e+]", .badNumber),
        ("§6 exponent with fraction", "1e1.5", .trailingBytes),
        ("§6 two points", "1.2.3", .trailingBytes),
        ("§6 hexadecimal", "0x10", .trailingBytes),
        ("§6 thousands", "1_000", .trailingBytes),
        ("§6 not a number", "NaN", .unexpectedByte),
        ("§6 infinity", "Infinity", .unexpectedByte),
        ("§6 infinity", "-Infinity", .badNumber),
        ("§6 beyond Double", "1e400", .numberTooLarge),
        ("§6 beyond Double", "-1e400", .numberTooLarge),
        ("§6 other digits", "١", .unexpectedByte),
        ("§7 not closed", "\"", .endsEarly),
        ("§7 not closed", "\"abc", .endsEarly),
        ("§7 not closed after an escape", #""abc\""#, .endsEarly),
        ("§7 not closed in an escape", #""abc\"#, .endsEarly),
        ("§7 single quotes", "'a'", .unexpectedByte),
        ("§7 bare line end", "\"a\nb\"", .controlCharacter),
        ("§7 bare tab", "\"a\tb\"", .controlCharacter),
        ("§7 bare zero", "\"a\u{0}b\"", .controlCharacter),
        ("§7 bare control character after an escape", "\"\\n\u{1F}\"", .controlCharacter),
        ("§7 unknown escape", #""\a""#, .badEscape),
        ("§7 unknown escape", #""\'""#, .badEscape),
        ("§7 unknown escape", #""\x41""#, .badEscape),
        ("§7 unknown escape", #""\U0041""#, .badEscape),
        ("§7 three digits", #""\u004""#, .badEscape),
        ("§7 digits in braces", #""\u{41}""#, .badEscape),
        ("§7 sign before digits", #""\u+041""#, .badEscape),
        ("§7 cut in the digits", #""\u00"#, .endsEarly),
        ("§8.2 first half only", #""\uD834""#, .loneSurrogate),
        ("§8.2 first half only", #""\uD834x""#, .loneSurrogate),
        ("§8.2 first half, other escape", #""\uD834\n""#, .loneSurrogate),
        ("§8.2 first half, no half", #""\uD834\u0041""#, .loneSurrogate),
        ("§8.2 two first halves", #""\uD834\uD834""#, .loneSurrogate),
        ("§8.2 second half only", #""\uDD1E""#, .loneSurrogate),
        ("§8.2 halves in the wrong order", #""\uDD1E\uD834""#, .loneSurrogate),
        ("§8.2 cut in the second half", #""\uD834\u"#, .endsEarly),
        ("§8.1 byte order mark", "\u{FEFF}{}", .byteOrderMark),
    ]

    @Test(arguments: refused)
    func `every other text is refused`(_ section: String, _ text: String, with failure: JSONError) {
        #expect(throws: failure) { try JSON(parsing: Array(text.utf8)) }
    }

    /// Bytes that no Swift string can contain. Each is tried inside a string, where it could be mistaken for text.
    static let notUTF8: [(reason: String, bytes: [UInt8])] = [
        ("§8.1 a continuation byte alone", [0x80]),
        ("§8.1 a first byte alone", [0xC3]),
        ("§8.1 two bytes where one does", [0xC0, 0xAF]),
        ("§8.1 three bytes where two do", [0xE0, 0x80, 0xAF]),
        ("§8.1 four bytes where three do", [0xF0, 0x80, 0x80, 0xAF]),
        ("§8.1 a surrogate", [0xED, 0xA0, 0x80]),
        ("§8.1 a pair of surrogates (CESU-8)", [0xED, 0xA0, 0xB4, 0xED, 0xB4, 0x9E]),
        ("§8.1 beyond Unicode", [0xF4, 0x90, 0x80, 0x80]),
        ("§8.1 five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80]),
        ("§8.1 cut", [0xF0, 0x9F, 0xA7]),
        ("§8.1 Latin-1", [0x4A, 0xE6, 0x72]),
        ("§8.1 never a byte of UTF-8", [0xFF]),
    ]

    @Test(arguments: notUTF8) func `what is not UTF-8 is refused`(_ reason: String, _ bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.badUTF8) { try JSON(parsing: [quote] + bytes + [quote]) }
        #expect(throws: JSONError.badUTF8, "after an escape") {
            try JSON(parsing: [quote] + Array("\\n".utf8) + bytes + [quote])
        }
        #expect(throws: JSONError.badUTF8, "in a name") {
            try JSON(parsing: Array("{\"".utf8) + bytes + Array("\":1}".utf8))
        }
        #expect(throws: JSONError.unexpectedByte, "outside a string") { try JSON(parsing: bytes[1...] + [0xFF]) }
    }

    static let otherEncodings: [(name: String, bytes: [UInt8], failure: JSONError)] = [
        ("§8.1 UTF-16, big-endian", [0x00, 0x7B, 0x00, 0x7D], .unexpectedByte),
        ("§8.1 UTF-16, little-endian", [0x7B, 0x00, 0x7D, 0x00], .unexpectedByte),
        ("§8.1 UTF-16 with a byte order mark", [0xFF, 0xFE, 0x7B, 0x00], .unexpectedByte),
        ("§8.1 UTF-32", [0x7B, 0x00, 0x00, 0x00, 0x7D, 0x00, 0x00, 0x00], .unexpectedByte),
    ]

    @Test(arguments: otherEncodings)
    func `other encodings are refused`(_ name: String, _ bytes: [UInt8], _ failure: JSONError) {
        #expect(throws: failure) { try JSON(parsing: bytes) }
    }

    @Test(arguments: [2, 11, 12, 13, 31, 32, 33, 34, 100])
    func `a name that comes twice is found`(amongst count: Int) throws {
        let distinct = (0..<count).map { "\"name \($0)\":0" }
        let text = { (members: [String]) in Array("{\(members.joined(separator: ","))}".utf8) }
        #expect(try JSON(parsing: text(distinct)).object?.count == count)
        for member in [distinct[0], distinct[count / 2], distinct[count - 1]] {
            #expect(throws: JSONError.duplicateMember) { try JSON(parsing: text(distinct + [member])) }
        }
    }

    /// An error without a line above would be a rule without a test.
    @Test func `every failure has its text`() {
        let seen = Set(Self.refused.map(\.failure)).union([.badUTF8, .tooLong, .tooDeep])
        #expect(seen == Set(JSONError.allCases))
    }
}
