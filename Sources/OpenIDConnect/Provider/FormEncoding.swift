/// Writes names and values as `application/x-www-form-urlencoded` (RFC 6749 appendix B).
package enum FormEncoding {
    package enum Space {
        case plus
        /// As `%20`: read alike by form decoders and by those that know only RFC 3986.
        case escaped
    }

    package static func encode(_ text: String, space: Space = .plus) -> String {
        var encoded: [UInt8] = []
        self.write(text, space, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    package static func encode(_ fields: [(name: String, value: String)], space: Space = .plus) -> String {
        var encoded: [UInt8] = []
        // Room for a request object, which need not be moved then.
        encoded.reserveCapacity(2048)
        self.write(fields, space, into: &encoded)
        return String(decoding: encoded, as: UTF8.self)
    }

    private static func write(_ fields: [(name: String, value: String)], _ space: Space, into encoded: inout [UInt8]) {
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
        // As one piece of memory, because that is many times faster than to walk through a string.
        var text = text
        text.withUTF8 { self.write($0, space, into: &encoded) }
    }

    private static func write(_ text: UnsafeBufferPointer<UInt8>, _ space: Space, into encoded: inout [UInt8]) {
        // Nearly everything long is a token, which stands as it is.
        let isPlain = self.isPlain
        guard !text.allSatisfy({ isPlain[Int($0)] }) else { return encoded.append(contentsOf: text) }
        encoded.append(addingCapacity: 3 * text.count) { room in
            for byte in text {
                if isPlain[Int(byte)] {
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

    /// For each byte whether it stands as it is. To look it up is several times faster than to compare.
    private static let isPlain = (UInt8.min...UInt8.max).map(\.isUnreserved)

    private static func digit(_ value: UInt8) -> UInt8 {
        value + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "A") - 10)
    }
}
