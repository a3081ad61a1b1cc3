// Names for bytes, from RFC 9110 §5.6 and RFC 3986 §2.

extension UInt8 {
    static var tab: UInt8 { 0x09 }
    static var lineFeed: UInt8 { 0x0A }
    static var carriageReturn: UInt8 { 0x0D }
    static var space: UInt8 { 0x20 }
    static var delete: UInt8 { 0x7F }
    static var quote: UInt8 { UInt8(ascii: "\"") }
    static var percent: UInt8 { UInt8(ascii: "%") }
    static var comma: UInt8 { UInt8(ascii: ",") }
    static var slash: UInt8 { UInt8(ascii: "/") }
    static var backslash: UInt8 { UInt8(ascii: "\\") }
    static var colon: UInt8 { UInt8(ascii: ":") }
    static var semicolon: UInt8 { UInt8(ascii: ";") }
    static var equals: UInt8 { UInt8(ascii: "=") }
    static var questionMark: UInt8 { UInt8(ascii: "?") }

    var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    var isLetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// The value of a hexadecimal digit in either case.
    var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }

    /// Optional white space (RFC 9110 §5.6.3).
    var isBlank: Bool { self == .space || self == .tab }

    /// `tchar` (RFC 9110 §5.6.2).
    var isToken: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: false
        }
    }

    /// A byte of a field value, including spaces and tabs (RFC 9110 §5.5).
    var isFieldContent: Bool { self >= .space && self != .delete || self == .tab }

    /// `reg-name` without its percent signs (RFC 3986 §3.2.2).
    var isRegisteredName: Bool {
        switch self {
        // sub-delims and the unreserved marks.
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: self.isLetter || self.isDigit
        }
    }

    /// `pchar` without its percent signs, and the slash between segments (RFC 3986 §3.3).
    var isPath: Bool {
        self.isRegisteredName || self == .colon || self == UInt8(ascii: "@") || self == .slash
    }

    /// Allows more than RFC 3986 §3.4: browsers leave `|`, `{`, `[` and others unescaped in a query.
    var isQuery: Bool {
        switch self {
        case .quote, UInt8(ascii: "#"), UInt8(ascii: "<"), UInt8(ascii: ">"): false
        default: self > .space && self < .delete
        }
    }

    /// In lower case if it is an ASCII letter.
    var lowercased: UInt8 { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self ? self | 0x20 : self }
}

extension Int {
    /// Reads a number on the wire, which has only digits. A number too large for an `Int` becomes `Int.max`.
    init?(digits: some Sequence<UInt8>) {
        var value = 0
        var isEmpty = true
        for byte in digits {
            guard byte.isDigit else { return nil }
            let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeAfterAll) = tens.addingReportingOverflow(Int(byte &- UInt8(ascii: "0")))
            value = isTooLarge || isTooLargeAfterAll ? Int.max : sum
            isEmpty = false
        }
        guard !isEmpty else { return nil }
        self = value
    }
}
