/// U+FEFF at the start of a text file, which editors on Windows write. It says how the file is encoded, and is no part
/// of the text (Unicode 23.8).
package enum ByteOrderMark {
    private static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Returns the bytes without the mark of UTF-8. It is removed once, and only at the start.
    package static func removed(from bytes: [UInt8]) -> [UInt8] {
        bytes.starts(with: self.utf8) ? Array(bytes.dropFirst(self.utf8.count)) : bytes
    }

    /// Returns what is wrong with bytes that are not UTF-8, and quotes none of them.
    package static func complaint(about bytes: [UInt8]) -> String {
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        return isUTF16 ? "is UTF-16, and not UTF-8: save it as UTF-8" : "is not UTF-8"
    }
}
