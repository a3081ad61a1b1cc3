import StrictJSON
import TestSupport
import Testing

/// JSON texts that RFC 8259 allows, and the values we read from them.
@Suite struct JSONReadingTests {
    static let texts: [(section: String, text: String, value: JSON)] = [
        ("§3 literal", "null", .null),
        ("§3 literal", "true", true),
        ("§3 literal", "false", false),
        ("§2 blanks", " \t\r\n null\n ", .null),
        ("§2 blanks", "[ 1 ,\t2\r\n]", [1, 2]),
        ("§2 blanks", "{ \"a\" : 1 , \"b\" : { } }", ["a": 1, "b": [:]]),
        ("§4 object", "{}", [:]),
        ("§4 object", #"{"":0}"#, ["": 0]),
        ("§4 object", #"{"a":{"a":{"a":1}}}"#, ["a": ["a": ["a": 1]]]),
        ("§4 object", #"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
        ("§5 array", "[]", []),
        ("§5 array", "[[[]],[]]", [[[]], []]),
        ("§5 array", #"[1,"a",null,true,{}]"#, [1, "a", .null, true, [:]]),
        ("§6 number", "0", 0),
        ("§6 number", "-1", -1),
        ("§6 number", "1700000000", 1_700_000_000),
        ("§6 number, largest Int", "9223372036854775807", .integer(.max)),
        ("§6 number, smallest Int", "-9223372036854775808", .integer(.min)),
        ("§6 number, minus zero", "-0", .number(-0.0)),
        ("§6 number, minus zero", "-0.0", .number(-0.0)),
        ("§6 fraction", "1.0", .number(1)),
        ("§6 fraction", "0.1", .number(0.1)),
        ("§6 fraction", "-12.50", .number(-12.5)),
        ("§6 exponent", "1e3", .number(1000)),
        ("§6 exponent", "1E3", .number(1000)),
        ("§6 exponent", "1e+3", .number(1000)),
        ("§6 exponent", "1e-3", .number(0.001)),
        ("§6 exponent", "1.5e01", .number(15)),
        ("§6 exponent", "0e0", .number(0)),
        ("§7 string", #""""#, ""),
        ("§7 string", #""a b""#, "a b"),
        ("§7 escape", #""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
        ("§7 escape", #""a\"b\"c""#, "a\"b\"c"),
        ("§7 escape", #""\u0041""#, "A"),
        ("§7 escape", #""\u00e9\u00E9""#, "éé"),
        ("§7 escape", #""\u20AC""#, "€"),
        ("§7 surrogate pair", #""\uD834\uDD1E""#, "\u{1D11E}"),
        ("§7 surrogate pair", #""\udbff\udfff""#, "\u{10FFFF}"),
        ("§7 escaped zero", #""a\u0000b""#, "a\u{0}b"),
        ("§7 unescaped DEL", "\"\u{7F}\"", "\u{7F}"),
        ("§7 line separator", "\"\u{2028}\"", "\u{2028}"),
        ("§8.1 UTF-8", #""Jens Ærø 🧑‍💻""#, "Jens Ærø 🧑‍💻"),
        ("§8.1 UTF-8", "\"\u{FFFD}\u{FEFF}\u{FFFF}\"", "\u{FFFD}\u{FEFF}\u{FFFF}"),
        ("§8.3 escaped name", #"{"\u0061":1}"#, ["a": 1]),
        ("§8.3 name", #"{"é":1}"#, ["é": 1]),
    ]

    @Test(arguments: texts)
    func `the texts of RFC 8259 are read`(_ section: String, _ text: String, _ value: JSON) throws {
        let read = try JSON(parsing: Array(text.utf8))
        #expect(read == value)
        #expect(try JSON(parsing: read.encoded()) == value, "and again what it writes")
    }

    /// What neither an `Int` nor a `Double` holds is written as it was read.
    static let decimals: [(text: String, nearest: Double)] = [
        ("9223372036854775808", 9_223_372_036_854_775_808),
        ("-9223372036854775809", -9_223_372_036_854_775_808),
        ("18446744073709551615", 18_446_744_073_709_551_616),
        ("12345678901234567890123", 1.2345678901234568e22),
        // A Double has it exactly, and would be written as 1e+22, which many readers take for a fraction.
        ("10000000000000000000000", 1e22),
        ("9007199254740993.0", 9_007_199_254_740_992),
        ("0.30000000000000000001", 0.3),
        ("0.12345678901234567890", 0.12345678901234568),
        ("1.00000000000000000001", 1),
        ("1.2345678901234567890123e22", 1.2345678901234568e22),
        ("123456789012345678901234567890E-30", 0.12345678901234568),
        ("1e-400", 0),
        ("-1e-400", 0),
        ("4.9e-324", .leastNonzeroMagnitude),
    ]

    @Test(arguments: decimals) func `numbers are kept exact`(_ text: String, _ nearest: Double) throws {
        let value = try JSON(parsing: Array(text.utf8))
        #expect(String(decoding: value.encoded(), as: UTF8.self) == text)
        #expect(value.number == nearest)
        #expect(value.integer == nil)
        #expect(try value == JSON(parsing: value.encoded()))
        #expect(value != .number(nearest))
        // Also deep inside, beside others.
        let object = "{\"a\":[\(text),1],\"b\":\(text)}"
        let read = try JSON(parsing: Array(object.utf8))
        #expect(String(decoding: read.encoded(), as: UTF8.self) == object)
        #expect(read["b"] == value)
        var writer = JSONObjectWriter()
        writer.add("a", value)
        #expect(String(decoding: writer.finish(), as: UTF8.self) == "{\"a\":\(text)}")
    }

    /// A number is a `Double` only if that has its value: random digits, with an exponent and without.
    @Test(arguments: 1...8) func `no value is ever changed`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<2000 {
            var text = ["", "-"].randomElement(using: &random) ?? ""
            text += String(Int.random(in: 0...9, using: &random))
            if text.hasSuffix("0") == false {
                for _ in 0..<Int.random(in: 0...25, using: &random) {
                    text += String(Int.random(in: 0...9, using: &random))
                }
            }
            if Bool.random(using: &random) {
                text += "."
                for _ in 0...Int.random(in: 0...25, using: &random) {
                    text += String(Int.random(in: 0...9, using: &random))
                }
            }
            if Bool.random(using: &random) { text += "e\(Int.random(in: -300...250, using: &random))" }
            let value = try JSON(parsing: Array(text.utf8))
            let written = String(decoding: value.encoded(), as: UTF8.self)
            #expect(try JSON(parsing: Array(written.utf8)) == value, "\(text)")
            #expect(Self.digits(written) == Self.digits(text), "\(text)")
        }
    }

    /// The significant digits of a number, which its spelling does not change.
    private static func digits(_ text: String) -> String {
        let mantissa = text.prefix { $0 != "e" && $0 != "E" }.filter { $0.isNumber }
        let trimmed = mantissa.drop { $0 == "0" }
        return String(trimmed.reversed().drop { $0 == "0" }.reversed())
    }

    @Test func `the sign of zero is kept`() throws {
        let zero = try JSON(parsing: Array("-0".utf8)).number
        #expect(zero?.sign == .minus)
    }

    @Test func `the order of members is kept`() throws {
        let names = (0..<50).map { "name\($0 * 7 % 50)" }
        let text = "{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try JSON(parsing: Array(text.utf8)).object?.names == names)
    }

    static let numbers: [(text: String, integer: Int?, number: Double?)] = [
        ("1", 1, 1),
        ("1.0", 1, 1),
        ("1e3", 1000, 1000),
        ("1.5", nil, 1.5),
        ("-0", 0, 0),
        ("1e300", nil, 1e300),
        ("9223372036854775808", nil, 9_223_372_036_854_775_808),
        ("\"1\"", nil, nil),
        ("true", nil, nil),
    ]

    @Test(arguments: numbers)
    func `numbers are given as what they are`(_ text: String, _ integer: Int?, _ number: Double?) throws {
        let value = try JSON(parsing: Array(text.utf8))
        #expect(value.integer == integer)
        #expect(value.number == number)
    }

    @Test func `a text is read as deep as it may be`() throws {
        let nested = { (depth: Int) in Array((Self.repeated("[", depth) + Self.repeated("]", depth)).utf8) }
        #expect(try JSON(parsing: nested(32)).array?.count == 1)
        #expect(throws: JSONError.tooDeep) { try JSON(parsing: nested(33)) }
        #expect(throws: JSONError.tooDeep) { try JSON(parsing: Array(Self.repeated("[", 1_000_000).utf8)) }
        #expect(throws: JSONError.tooDeep) { try JSON(parsing: Array(Self.repeated("{\"a\":", 33).utf8)) }
        #expect(throws: JSONError.tooDeep) { try JSON(parsing: nested(2), limits: JSON.Limits(depth: 1)) }
        // Arrays next to each other do not add to the depth.
        #expect(try JSON(parsing: Array("[\(Self.repeated("[[]],{},", 100))[]]".utf8)).array?.count == 201)
    }

    @Test func `a text is read as long as it may be`() throws {
        let text = Array("[1, 2]".utf8)
        #expect(try JSON(parsing: text, limits: JSON.Limits(byteCount: 6)) == [1, 2])
        #expect(throws: JSONError.tooLong) { try JSON(parsing: text, limits: JSON.Limits(byteCount: 5)) }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
}
