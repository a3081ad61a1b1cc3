// Writes JSON without whitespace, members in their order.

import Base

extension JSON {
    package func encoded() -> [UInt8] {
        var bytes: [UInt8] = []
        // Most texts fit, so the array rarely moves to grow.
        bytes.reserveCapacity(256)
        self.write(into: &bytes)
        return bytes
    }

    package func write(into bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .integer(let value): Self.write(value, into: &bytes)
        // JSON has no infinity and no NaN (RFC 8259 §6).
        case .number(let value): bytes += (value.isFinite ? value.description : "null").utf8
        case .decimal(let value): bytes += value.text.utf8
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

    static func write(_ texts: [String], into bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "["))
        for (index, text) in texts.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            self.write(text, into: &bytes)
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

    static func write(_ number: Int, into bytes: inout [UInt8]) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        // Starts at the last digit. This takes a fraction of the time of making a string.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
            var rest = number.magnitude
            var first = digits.count
            repeat {
                first -= 1
                digits[first] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: digits[first...]))
        }
    }

    static func write(_ text: String, into bytes: inout [UInt8]) {
        text.withBytes { self.write($0, into: &bytes) }
    }

    /// RFC 8259 §7: only quotation mark, backslash and control characters need an escape.
    static func write(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        guard JSONPlainText.end(in: text, from: 0).end < text.count else {
            return self.writePlain(text, into: &bytes)
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text { self.write(byte, into: &bytes) }
        bytes.append(UInt8(ascii: "\""))
    }

    static func copy(_ text: UnsafeBufferPointer<UInt8>, to room: inout OutputSpan<UInt8>) {
        room.withUnsafeMutableBufferPointer { room, count in
            count = room[count...].initialize(fromContentsOf: text)
        }
    }

    /// Writes a text without escapes in one go. Nearly all texts are like that.
    private static func writePlain(_ text: UnsafeBufferPointer<UInt8>, into bytes: inout [UInt8]) {
        bytes.append(addingCapacity: text.count + 2) { room in
            room.append(UInt8(ascii: "\""))
            self.copy(text, to: &room)
            room.append(UInt8(ascii: "\""))
        }
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
