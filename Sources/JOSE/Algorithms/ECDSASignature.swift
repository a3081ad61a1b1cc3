/// The two encodings of an ECDSA signature: JOSE's r ‖ s (RFC 7518 §3.4), and DER, which libcrypto uses.
///
/// In DER it is a SEQUENCE of two INTEGERs (RFC 3279 §2.2.3), each without unnecessary leading zeros.
enum ECDSASignature {
    private static let sequence: UInt8 = 0x30
    private static let integer: UInt8 = 0x02
    /// One byte with the length follows. Only P-521 needs it.
    private static let longLength: UInt8 = 0x81

    /// Converts r ‖ s to DER. Returns nil unless the length is exactly that of the curve.
    static func encoded(_ raw: [UInt8], _ curve: Curve) -> [UInt8]? {
        guard raw.count == 2 * curve.coordinateByteCount else { return nil }
        let numbers = self.number(raw.prefix(raw.count / 2)) + self.number(raw.suffix(raw.count / 2))
        let count = UInt8(numbers.count)
        return (count < 0x80 ? [self.sequence, count] : [self.sequence, self.longLength, count]) + numbers
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var digits = bytes.drop { $0 == 0 }
        // The first bit is the sign. Zero needs one digit.
        if digits.first ?? 0x80 >= 0x80 { digits = [0] + digits }
        return [self.integer, UInt8(digits.count)] + digits
    }

    /// Converts DER to r ‖ s, each as long as a coordinate. Returns nil for anything else.
    static func raw(_ encoded: UnsafeBufferPointer<UInt8>, _ curve: Curve) -> [UInt8]? {
        var rest = encoded[...]
        guard let count = self.count(of: self.sequence, &rest), count == rest.count else { return nil }
        var raw: [UInt8] = []
        raw.reserveCapacity(2 * curve.coordinateByteCount)
        for _ in 0..<2 {
            guard let count = self.count(of: self.integer, &rest), count <= rest.count else { return nil }
            let digits = rest.prefix(count).drop { $0 == 0 }
            guard digits.count <= curve.coordinateByteCount else { return nil }
            for _ in digits.count..<curve.coordinateByteCount { raw.append(0) }
            raw.append(contentsOf: digits)
            rest = rest.dropFirst(count)
        }
        return rest.isEmpty ? raw : nil
    }

    /// Reads the tag and the length, and returns the length.
    private static func count(of tag: UInt8, _ rest: inout Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard rest.popFirst() == tag, let first = rest.popFirst() else { return nil }
        return first == self.longLength ? rest.popFirst().map { Int($0) } : Int(first)
    }
}
