/// The parts of an HTTP response that a load generator needs: its status and where it ends.
package struct Answer {
    package let status: Int
    package let byteCount: Int

    /// Returns nil until the response is complete. Its length is in `Content-Length`, or it has no body.
    package init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count > 12 else { return nil }
        var (line, length) = (0, 0)
        for index in 12..<bytes.count where bytes[index] == UInt8(ascii: "\n") {
            if index - line == 1 {
                guard bytes.count >= index + 1 + length else { return nil }
                self.status = Self.number(bytes[9..<12])
                self.byteCount = index + 1 + length
                return
            }
            if index - line > 16, bytes[line] | 0x20 == UInt8(ascii: "c"), bytes[line + 8] | 0x20 == UInt8(ascii: "l"),
                bytes[line + 14] == UInt8(ascii: ":")
            {
                length = Self.number(bytes[(line + 15)..<index])
            }
            line = index + 1
        }
        return nil
    }

    private static func number(_ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
        bytes.reduce(0) { 48...57 ~= $1 ? $0 * 10 + Int($1) - 48 : $0 }
    }
}
