/// One of the two alphabets of RFC 4648, and the strict way in which we read and write it.

struct Base64Alphabet: Sendable {
    private let digits: [UInt8]
    /// The value of each byte; 0xFF for a byte that is no digit.
    private let values: [UInt8]
    private let isPadded: Bool

    private static let padding = UInt8(ascii: "=")

    init(lastTwo: StaticString, isPadded: Bool) {
        let letters = Array(UInt8(ascii: "A")...UInt8(ascii: "Z")) + Array(UInt8(ascii: "a")...UInt8(ascii: "z"))
        self.digits = letters + Array(UInt8(ascii: "0")...UInt8(ascii: "9")) + Array("\(lastTwo)".utf8)
        var values = [UInt8](repeating: 0xFF, count: 256)
        for (value, digit) in self.digits.enumerated() { values[Int(digit)] = UInt8(value) }
        self.values = values
        self.isPadded = isPadded
    }

    func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
            var written = 0
            func write(_ digit: UInt8) {
                text[written] = digit
                written += 1
            }
            var index = 0
            while index < bytes.count {
                let left = bytes.count - index
                let first = bytes[index]
                let second = left > 1 ? bytes[index + 1] : 0
                let third = left > 2 ? bytes[index + 2] : 0
                write(self.digits[Int(first >> 2)])
                write(self.digits[Int((first & 0x03) << 4 | second >> 4)])
                if left > 1 { write(self.digits[Int((second & 0x0F) << 2 | third >> 6)]) }
                if left > 2 { write(self.digits[Int(third & 0x3F)]) }
                index += 3
            }
            while self.isPadded && written % 4 != 0 { write(Self.padding) }
            return written
        }
    }

    /// Nil for anything that `encode` would not have written: blanks, line ends, other digits, missing or surplus
    /// padding, and unused bits that are not zero (RFC 4648 §3.5), so that no two texts mean the same bytes.
    func decode(_ text: [UInt8]) -> [UInt8]? {
        guard let digits = self.withoutPadding(text), digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for digit in digits {
            let value = self.values[Int(digit)]
            guard value != 0xFF else { return nil }
            bits = bits << 6 | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
                bits &= (1 << bitCount) - 1
            }
        }
        return bits == 0 ? bytes : nil
    }

    private func withoutPadding(_ text: [UInt8]) -> ArraySlice<UInt8>? {
        guard self.isPadded else { return text[...] }
        guard text.count % 4 == 0 else { return nil }
        return text.suffix(2).allSatisfy({ $0 == Self.padding })
            ? text.dropLast(2) : text.last == Self.padding ? text.dropLast() : text[...]
    }
}
