/// How JSON is written: without blanks, members in their order.

extension JSON {
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        // Most of what is written fits, and need not be moved as it grows.
        bytes.reserveCapacity(256)
        self.write(into: &bytes)
        return bytes
    }

    package func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): bytes += String(value).utf8
        // JSON has no infinity and no NaN (RFC 8259 §6).
        case .number(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .string(let value): Self.write(value, into: &bytes)
        case .array(let elements): Self.write(elements, into: &bytes)
        case .object(let members): Self.write(members, into: &bytes)
        }
    }

    private static func write(_ elements: [JSON], into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            element.write(into: &bytes)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(_ members: Object, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            self.write(member.name, into: &bytes)
            bytes.append(UInt8(ascii: ":"))
            member.value.write(into: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private static func write(_ text: String, into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        // As one piece of memory, because that is many times faster than to walk through a string.
        var text = text
        text.withUTF8 { self.write($0, into: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// RFC 8259 §7: only quotation mark, backslash and control characters need an escape.
    private static func write(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        guard text.contains(where: self.needsEscape) else { return bytes.append(contentsOf: text) }
        for byte in text { self.write(byte, into: &bytes) }
    }

    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func write(_ byte: UInt8, into bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case 0x0A: bytes += "\\n".utf8
        case 0x0D: bytes += "\\r".utf8
        case 0x09: bytes += "\\t".utf8
        case ..<0x20:
            let digits = String(byte, radix: 16)
            bytes += (digits.utf8.count == 1 ? "\\u000" : "\\u00").utf8
            bytes += digits.utf8
        default: bytes.append(byte)
        }
    }
}
