import Base

/// A number that neither an `Int` nor a `Double` holds exactly (RFC 8259 §6), as its writer spelled it.
///
/// Two spellings of one number are different values.
package struct JSONDecimal: Equatable, Sendable {
    /// The number's text. Only the parser makes one, so it needs no check when it is written.
    package let text: String

    init(_ text: String) { self.text = text }

    /// The nearest `Double`.
    package var nearest: Double { Double(self.text) ?? .nan }

    package static func == (one: Self, other: Self) -> Bool { identical(one.text, other.text) }
}

/// What a number's text stands for: its significant digits, and the power of ten of the last one.
struct JSONNumberValue: Equatable {
    private var isNegative = false
    private var digits: [UInt8] = []
    private var exponent = 0

    /// Reads a number that is valid JSON, or that Swift wrote.
    init(_ text: ArraySlice<UInt8>) {
        let mantissa = text.prefix { $0 != UInt8(ascii: "e") && $0 != UInt8(ascii: "E") }
        var isInFraction = false
        for byte in mantissa {
            switch byte {
            case UInt8(ascii: "-"): self.isNegative = true
            case UInt8(ascii: "."): isInFraction = true
            default:
                if isInFraction { self.exponent -= 1 }
                // A zero counts only after another digit.
                if byte != UInt8(ascii: "0") || !self.digits.isEmpty { self.digits.append(byte) }
            }
        }
        while self.digits.last == UInt8(ascii: "0") {
            self.digits.removeLast()
            self.exponent += 1
        }
        self.exponent += Self.power(text[mantissa.endIndex...].dropFirst())
        if self.digits.isEmpty { self.exponent = 0 }
    }

    /// Reads an exponent. One that is far beyond a `Double` counts as a billion.
    private static func power(_ text: ArraySlice<UInt8>) -> Int {
        let isNegative = text.first == UInt8(ascii: "-")
        var power = 0
        for byte in text where byte != UInt8(ascii: "+") && byte != UInt8(ascii: "-") {
            power = min(power * 10 + Int(byte &- UInt8(ascii: "0")), 1_000_000_000)
        }
        return isNegative ? -power : power
    }
}
