import Base

/// Writes names and values as `application/x-www-form-urlencoded` (RFC 6749 appendix B).
package enum FormEncoding {
    package enum Space {
        case plus
        /// As `%20`, which form decoders and plain RFC 3986 decoders read alike.
        case escaped
    }

    package static func encode(_ text: String, space: Space = .plus) -> String {
        var encoded: [UInt8] = []
        self.write(text, space, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    package static func encode(_ fields: [Parameter], space: Space = .plus) -> String {
        var encoded: [UInt8] = []
        // Makes room for a request object, so that the bytes need not move later.
        encoded.reserveCapacity(2048)
        self.write(fields, space, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func write(_ fields: [Parameter], _ space: Space, into encoded: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { encoded.append(UInt8(ascii: "&")) }
            self.write(field.name, field.value, space, into: &encoded)
        }
    }

    static func write(_ name: String, _ value: String, _ space: Space, into encoded: inout [UInt8]) {
        self.write(name, space, into: &encoded)
        encoded.append(UInt8(ascii: "="))
        self.write(value, space, into: &encoded)
    }

    private static func write(_ text: String, _ space: Space, into encoded: inout [UInt8]) {
        text.withBytes { self.write($0, space, into: &encoded) }
    }

    private static func write(_ text: UnsafeBufferPointer<UInt8>, _ space: Space, into encoded: inout [UInt8]) {
        // Nearly every name and every long value needs no escape.
        guard !text.allSatisfy(self.isPlain) else { return encoded.append(contentsOf: text) }
        encoded.append(addingCapacity: 3 * text.count) { room in
            for byte in text {
                if self.isPlain(byte) {
                    room.append(byte)
                } else if byte == 0x20, space == .plus {
                    room.append(UInt8(ascii: "+"))
                } else {
                    room.append(UInt8(ascii: "%"))
                    room.append(self.digit(byte >> 4))
                    room.append(self.digit(byte & 0x0F))
                }
            }
        }
    }

    /// Whether the byte needs no escape. Testing one bit is several times faster than comparisons.
    private static func isPlain(_ byte: UInt8) -> Bool {
        let bits = byte & 0x40 == 0 ? self.plainBelow64 : self.plainFrom64
        return byte < 0x80 && bits &>> UInt64(byte & 0x3F) & 1 == 1
    }

    /// A bit for each byte that is unreserved (RFC 3986 §2.3): the digits, `-` and `.`.
    private static let plainBelow64: UInt64 = 0x03FF_6000_0000_0000
    /// The letters, `_` and `~`, from byte 64 on.
    private static let plainFrom64: UInt64 = 0x47FF_FFFE_87FF_FFFE

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
