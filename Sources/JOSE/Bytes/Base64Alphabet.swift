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
        String(unsafeUninitializedCapacity: self.digitCount(bytes)) { self.write(bytes, into: $0) }
    }

    /// The same as bytes.
    func encodedBytes(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: self.digitCount(bytes)) { $1 = self.write(bytes, into: $0) }
    }

    private func digitCount(_ bytes: [UInt8]) -> Int { (bytes.count + 2) / 3 * 4 }

    /// Says how many digits there are.
    private func write(_ bytes: [UInt8], into text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        self.digits.withUnsafeBufferPointer { digits in
            var written = 0
            // Three bytes are four digits; of fewer bytes the rest is zero.
            func writeGroup(at start: Int, _ byteCount: Int) {
                var bits: UInt32 = 0
                for index in start..<start + byteCount { bits = bits << 8 | UInt32(bytes[index]) }
                bits <<= 8 * UInt32(3 - byteCount)
                for index in 0...byteCount {
                    text[written + index] = digits[Int(bits >> (18 - 6 * UInt32(index))) & 0x3F]
                }
                written += byteCount + 1
            }
            let rest = bytes.count % 3
            for start in stride(from: 0, to: bytes.count - rest, by: 3) { writeGroup(at: start, 3) }
            if rest > 0 { writeGroup(at: bytes.count - rest, rest) }
            while self.isPadded && written % 4 != 0 {
                text[written] = Self.padding
                written += 1
            }
            return written
        }
    }

    /// Nil for anything that `encode` would not have written: blanks, line ends, other digits, missing or surplus
    /// padding, and unused bits that are not zero (RFC 4648 §3.5), so that no two texts mean the same bytes.
    func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard let digits = self.withoutPadding(text), digits.count % 4 != 1 else { return nil }
        var isRight = false
        let bytes = [UInt8](unsafeUninitializedCapacity: digits.count / 4 * 3 + 2) { bytes, count in
            digits.withUnsafeBufferPointer { isRight = self.read($0, into: bytes, &count) }
        }
        return isRight ? bytes : nil
    }

    /// False for digits of another alphabet, and for unused bits.
    private func read(
        _ digits: UnsafeBufferPointer<UInt8>, into bytes: UnsafeMutableBufferPointer<UInt8>, _ count: inout Int
    ) -> Bool {
        self.values.withUnsafeBufferPointer { values in
            // All values put together: one that is none has a bit that no other has.
            var seen: UInt8 = 0
            var unused: UInt32 = 0
            var written = 0
            func readGroup(at start: Int, _ digitCount: Int) {
                var bits: UInt32 = 0
                for index in start..<start + digitCount {
                    let value = values[Int(digits[index])]
                    seen |= value
                    bits = bits << 6 | UInt32(value)
                }
                bits <<= 6 * UInt32(4 - digitCount)
                for index in 0..<digitCount - 1 {
                    bytes[written + index] = UInt8(truncatingIfNeeded: bits >> (16 - 8 * UInt32(index)))
                }
                unused |= bits & (0xFF_FFFF >> (8 * UInt32(digitCount - 1)))
                written += digitCount - 1
            }
            let rest = digits.count % 4
            for start in stride(from: 0, to: digits.count - rest, by: 4) { readGroup(at: start, 4) }
            if rest > 1 { readGroup(at: digits.count - rest, rest) }
            count = written
            return seen < 0x40 && unused == 0
        }
    }

    private func withoutPadding(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard self.isPadded else { return text }
        guard text.count % 4 == 0 else { return nil }
        return text.suffix(2).allSatisfy({ $0 == Self.padding })
            ? text.dropLast(2) : text.last == Self.padding ? text.dropLast() : text
    }
}
