// Writes CBOR with the shortest heads (RFC 8949 §4.2.1). What the reader accepts is written as it was read.

import Attestation

extension CBOR {
    package func encoded() -> [UInt8] {
        var output: [UInt8] = []
        self.append(to: &output)
        return output
    }

    private func append(to output: inout [UInt8]) {
        switch self {
        case .unsigned(let value): Self.appendHead(0, value, to: &output)
        case .negative(let value): Self.appendHead(1, value, to: &output)
        case .bytes(let bytes):
            Self.appendHead(2, UInt64(bytes.count), to: &output)
            output += bytes
        case .text(let text):
            Self.appendHead(3, UInt64(text.utf8.count), to: &output)
            output += text.utf8
        case .array(let items):
            Self.appendHead(4, UInt64(items.count), to: &output)
            for item in items { item.append(to: &output) }
        case .map(let pairs):
            Self.appendHead(5, UInt64(pairs.count), to: &output)
            for pair in pairs {
                pair.key.append(to: &output)
                pair.value.append(to: &output)
            }
        case .bool(let value): Self.appendHead(7, value ? 21 : 20, to: &output)
        case .null: Self.appendHead(7, 22, to: &output)
        }
    }

    private static func appendHead(_ type: UInt8, _ argument: UInt64, to output: inout [UInt8]) {
        let (information, byteCount): (UInt8, Int) =
            switch argument {
            case 0...23: (UInt8(argument), 0)
            case 24...0xFF: (24, 1)
            case 0x100...0xFFFF: (25, 2)
            case 0x1_0000...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        output.append(type << 5 | information)
        for index in (0..<byteCount).reversed() { output.append(UInt8(truncatingIfNeeded: argument >> (8 * index))) }
    }
}
