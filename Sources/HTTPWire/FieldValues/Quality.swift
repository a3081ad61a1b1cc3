/// A client's preference, from 0 (not acceptable) to 1000 (RFC 9110 §12.4.2).
struct Quality: Comparable, Sendable {
    static let most = Quality(thousandths: 1000)
    static let none = Quality(thousandths: 0)

    let thousandths: Int

    static func < (a: Quality, b: Quality) -> Bool { a.thousandths < b.thousandths }

    private init(thousandths: Int) { self.thousandths = thousandths }

    /// Reads `0` or `1`, with up to three decimals.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, bytes.count <= 5, bytes.count == 1 || bytes[1] == UInt8(ascii: ".") else {
            return nil
        }
        var value = 0
        for (index, byte) in bytes.enumerated() where index != 1 {
            guard byte.isDigit else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        for _ in max(bytes.count, 2)..<5 { value *= 10 }
        guard first <= UInt8(ascii: "1"), value <= 1000 else { return nil }
        self.thousandths = value
    }

    /// Reads the `q` among the parameters of one element. Without one it is the most. Returns nil if it is malformed.
    init?(in scanner: inout FieldScanner) {
        guard let parameters = scanner.readParameters() else { return nil }
        guard let quality = parameters.first(where: { $0.name == "q" }) else {
            self = .most
            return
        }
        self.init(quality.value)
    }
}
