// Bytes from hexadecimal digits, as the RFCs' tables have them.

extension [UInt8] {
    package init(hex: String) {
        let digits = hex.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16) ?? 0 }
        self = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
