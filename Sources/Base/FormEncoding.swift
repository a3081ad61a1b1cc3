/// Writes names and values as `application/x-www-form-urlencoded`.
package enum FormEncoding {
    package enum Style {
        /// As OAuth does (RFC 6749 appendix B): a space becomes `+`.
        case form
        /// A space becomes `%20`, which form decoders and plain RFC 3986 decoders read alike.
        case uri
        /// As browsers do (WHATWG URL §5.2): like `form`, but `~` is escaped and `*` is not.
        case browser
    }

    package static func encode(_ text: String, as style: Style = .form) -> String {
        var encoded: [UInt8] = []
        self.write(text, style, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    package static func encode(_ fields: [Parameter], as style: Style = .form) -> String {
        var encoded: [UInt8] = []
        // Makes room for a request object, so that the bytes need not move later.
        encoded.reserveCapacity(2048)
        self.write(fields, style, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func write(_ fields: [Parameter], _ style: Style, into encoded: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { encoded.append(UInt8(ascii: "&")) }
            self.write(field.name, field.value, style, into: &encoded)
        }
    }

    package static func write(_ name: String, _ value: String, _ style: Style, into encoded: inout [UInt8]) {
        self.write(name, style, into: &encoded)
        encoded.append(UInt8(ascii: "="))
        self.write(value, style, into: &encoded)
    }

    private static func write(_ text: String, _ style: Style, into encoded: inout [UInt8]) {
        text.withBytes { self.write($0, style, into: &encoded) }
    }

    private static func write(_ text: UnsafeBufferPointer<UInt8>, _ style: Style, into encoded: inout [UInt8]) {
        let plain = style == .browser ? PlainBytes.browser : PlainBytes.unreserved
        // Nearly every name and every long value needs no escape.
        guard !text.allSatisfy(plain.contains) else { return encoded.append(contentsOf: text) }
        encoded.append(addingCapacity: 3 * text.count) { room in
            for byte in text {
                if plain.contains(byte) {
                    room.append(byte)
                } else if byte == 0x20, style != .uri {
                    room.append(UInt8(ascii: "+"))
                } else {
                    room.append(UInt8(ascii: "%"))
                    room.append(self.digit(byte >> 4))
                    room.append(self.digit(byte & 0x0F))
                }
            }
        }
    }

    /// The bytes that need no escape: a bit for each. Testing one bit is several times faster than comparisons.
    private struct PlainBytes {
        let below64: UInt64
        let from64: UInt64

        /// RFC 3986 §2.3: the digits, `-` and `.`; the letters, `_` and `~`.
        static let unreserved = Self(below64: 0x03FF_6000_0000_0000, from64: 0x47FF_FFFE_87FF_FFFE)
        /// With `*`, without `~`.
        static let browser = Self(below64: 0x03FF_6400_0000_0000, from64: 0x07FF_FFFE_87FF_FFFE)

        func contains(_ byte: UInt8) -> Bool {
            let bits = byte & 0x40 == 0 ? self.below64 : self.from64
            return byte < 0x80 && bits &>> UInt64(byte & 0x3F) & 1 == 1
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
