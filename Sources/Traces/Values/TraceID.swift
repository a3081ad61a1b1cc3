/// Names a trace: 16 bytes, not all zero (W3C Trace Context §3.2.2.3).
package struct TraceID: Hashable, Sendable, CustomStringConvertible {
    package static let byteCount = 16

    let high: UInt64
    let low: UInt64

    /// Returns nil if both are zero.
    package init?(high: UInt64, low: UInt64) {
        guard high != 0 || low != 0 else { return nil }
        self.high = high
        self.low = low
    }

    /// Returns nil unless there are exactly 16 bytes that are not all zero.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == Self.byteCount else { return nil }
        self.init(
            high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
            low: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
    }

    /// Returns a random id.
    static func random() -> Self {
        while true {
            if let id = Self(high: .random(in: .min ... .max), low: .random(in: .min ... .max)) { return id }
        }
    }

    package var bytes: [UInt8] { Hex.bytes(self.high) + Hex.bytes(self.low) }

    /// 32 lower-case hex digits.
    package var description: String { Hex.text(self.bytes) }

    /// Decides whether a share of all traces has this one. Every server decides the same, because only the id counts:
    /// its last seven bytes, which are random (W3C Trace Context Level 2 §3.2.2.5).
    func isAmong(share: Double) -> Bool {
        Double(self.low & 0x00FF_FFFF_FFFF_FFFF) < share * Double(UInt64(1) << 56)
    }

    /// The span that stands for the whole login whose id is this trace.
    package var loginSpan: SpanID { SpanID(firstOf: self.low, self.high) }
}

/// Names a span within a trace: eight bytes, not all zero (W3C Trace Context §3.2.2.4).
package struct SpanID: Hashable, Sendable, CustomStringConvertible {
    let number: UInt64

    package init?(_ number: UInt64) {
        guard number != 0 else { return nil }
        self.number = number
    }

    /// Takes the first number that is not zero. One of them is not.
    fileprivate init(firstOf first: UInt64, _ second: UInt64) { self.number = first != 0 ? first : second }

    /// Makes an id of the next number of a sequence, by the last step of SplitMix64. Different numbers give different
    /// ids. Nil for the one number that gives zero.
    init?(mixing number: UInt64) {
        var word = number
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        self.init(word ^ (word >> 31))
    }

    var bytes: [UInt8] { Hex.bytes(self.number) }

    /// 16 lower-case hex digits.
    package var description: String { Hex.text(self.bytes) }
}

/// Hexadecimal digits in lower case, and no others.
enum Hex {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.flatMap { [Self.digits[Int($0 >> 4)], Self.digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns nil unless the text is made of at most 16 of these digits.
    static func number(_ text: Substring.UTF8View) -> UInt64? {
        guard 1...16 ~= text.count else { return nil }
        var number: UInt64 = 0
        for byte in text {
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            default: return nil
            }
            number = number << 4 | UInt64(digit)
        }
        return number
    }

    /// Big-endian.
    static func bytes(_ number: UInt64) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
}
