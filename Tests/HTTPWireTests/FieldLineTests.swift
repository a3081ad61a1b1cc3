import HTTPWire
import Testing

/// Field lines (RFC 9112 §5, RFC 9110 §5).
@Suite struct FieldLineTests {
    private static func request(_ lines: String) -> String { "GET / HTTP/1.1\r\nHost: a\r\n\(lines)\r\n\r\n" }

    private static func refuses(_ name: String, _ lines: String, _ error: ParseError) -> Refused {
        Refused(name, Self.request(lines), error)
    }

    static let refused: [Refused] = [
        refuses("RFC 9112 §5.1: a space before the colon", "X : b", .badFieldName),
        refuses("RFC 9112 §5.1: a tab before the colon", "X\t: b", .badFieldName),
        refuses("RFC 9112 §5.1: no colon", "X", .badFieldName),
        refuses("RFC 9112 §5.1: no name", ": b", .badFieldName),
        refuses("RFC 9110 §5.1: a space in the name", "X Y: b", .badFieldName),
        refuses("RFC 9110 §5.1: NUL in the name", "X\u{00}: b", .badFieldName),
        refuses("RFC 9110 §5.1: a control byte in the name", "X\u{0B}: b", .badFieldName),
        refuses("RFC 9110 §5.1: a name beyond ASCII", "\u{C3}\u{A6}: b", .badFieldName),
        refuses("RFC 9110 §5.1: a slash in the name", "X/Y: b", .badFieldName),
        refuses("RFC 9110 §5.1: brackets around the name", "[X]: b", .badFieldName),
        refuses("RFC 9110 §5.1: a quoted name", "\"X\": b", .badFieldName),
        refuses("RFC 9110 §5.1: a CR in the name", "X\rY: b", .badFieldName),
        refuses("RFC 9112 §5.2: a folded line, by a space", "X: b\r\n c", .foldedLine),
        refuses("RFC 9112 §5.2: a folded line, by a tab", "X: b\r\n\tc", .foldedLine),
        refuses("RFC 9112 §5.2: a line of blanks", "X: b\r\n ", .foldedLine),
        refuses("RFC 9112 §5.2: a field hidden by a fold", "X: b\r\n Content-Length: 5", .foldedLine),
        refuses("RFC 9112 §2.2: a bare LF", "X: b\nY: c", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare LF at the end of the head", "X: b\n", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare LF as an empty line", "X: b\r\n\n", .badLineEnd),
        refuses("RFC 9112 §2.2: a bare CR", "X: b\rY: c", .badFieldValue),
        refuses("RFC 9112 §2.2: two CRs", "X: b\r", .badFieldValue),
        refuses("RFC 9110 §5.5: NUL", "X: b\u{00}c", .badFieldValue),
        refuses("RFC 9110 §5.5: NUL as the last byte", "X: b\u{00}", .badFieldValue),
        refuses("RFC 9110 §5.5: a bell", "X: \u{07}", .badFieldValue),
        refuses("RFC 9110 §5.5: a vertical tab", "X: \u{0B}b", .badFieldValue),
        refuses("RFC 9110 §5.5: an escape", "X: \u{1B}[31m", .badFieldValue),
        refuses("RFC 9110 §5.5: a delete", "X: b\u{7F}", .badFieldValue),
        refuses(
            "RFC 9110 §5.5: a control byte far behind", "X: 0123456789\t0123456789\u{1F}0123456789", .badFieldValue),
        refuses(
            "RFC 9110 §5.5: a control byte among obs-text", "X: \u{E6}\u{F8}\u{E5}\u{80}\u{81}\u{82}\u{83}\u{01}",
            .badFieldValue),
        Refused("RFC 9112 §2.2: blanks before the first field", "GET / HTTP/1.1\r\n Host: a\r\n\r\n", .foldedLine),
    ]

    static let taken: [Taken] = [
        Taken("RFC 9110 §5.5: an empty value", request("X:"), "GET /"),
        Taken("RFC 9110 §5.5: blanks for a value", request("X: \t "), "GET /"),
        Taken("RFC 9112 §5: no blank behind the colon", request("X:b"), "GET /"),
        Taken("RFC 9112 §5: blanks around the value", request("X: \t b c \t "), "GET /"),
        Taken("RFC 9110 §5.5: tabs within", request("X: a\tb\tc\td\te\tf\tg\th\ti"), "GET /"),
        Taken("RFC 9110 §5.5: colons within", request("X: a:b:c"), "GET /"),
        Taken("RFC 9110 §5.5: UTF-8", request("X: \u{C3}\u{A6}bler"), "GET /"),
        Taken("RFC 9110 §5.5: obs-text", request("X: \u{E6}bler"), "GET /"),
        Taken("RFC 9110 §5.1: all marks of a token", request("!#$%&'*+-.^_`|~: b"), "GET /"),
        Taken("RFC 9110 §5.1: one letter", request("x: b"), "GET /"),
        Taken("RFC 9110 §5.3: the same name again", request("X: b\r\nx: c\r\nX: d"), "GET /"),
    ]

    @Test(arguments: refused) func `malformed field lines are refused`(_ line: Refused) { line.check() }

    @Test(arguments: taken) func `valid field lines are accepted`(_ line: Taken) { line.check() }

    /// Every byte at every position of a word, so that reading eight at a time misses none.
    @Test func `every control byte is found wherever it is`() {
        for byte in UInt8.min...UInt8.max {
            let isAllowed = byte == 0x09 || (byte >= 0x20 && byte != 0x7F)
            for position in 0..<17 {
                var value = Array(latin1: "vvvvvvvvvvvvvvvvv")
                value[position] = byte
                let bytes = Array(latin1: "GET / HTTP/1.1\r\nHost: a\r\nX: ") + value + Array(latin1: "\r\n\r\n")
                guard byte != 0x0A else { continue }
                #expect((Transcript(bytes).error == nil) == isAllowed, "\(byte) at \(position)")
            }
        }
    }

    /// The value as written, and as read.
    @Test(arguments: [
        ("b", "b"), (" b", "b"), ("\t b \t", "b"), ("b c", "b c"), ("", ""), (" ", ""), ("b\tc", "b\tc"),
        ("\u{C3}\u{A6}", "æ"), ("\u{E6}", "æ"), ("\u{E6}\u{C3}\u{A6}", "æÃ¦"), ("\"a, b\"", "\"a, b\""),
        ("0123456789 0123456789", "0123456789 0123456789"),
    ]) func `a value is read without blanks around it`(_ written: String, _ value: String) throws {
        let message = try #require(Transcript(Array(latin1: Self.request("X:\(written)"))).messages.first)
        #expect(message.head.fields["x"] == value)
    }
}
