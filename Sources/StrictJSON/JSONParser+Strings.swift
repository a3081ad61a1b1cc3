// Strings of a JSON text (RFC 8259 §7).

extension JSONParser {
    /// Reads a member's name and its fingerprint. Nearly all names have no escape, so the text gives the fingerprint.
    mutating func readName() throws(JSONError) -> (String, JSONNameFingerprint) {
        let start = self.position + 1
        let name = try self.readString()
        let range = start..<self.position - 1
        // Every escape is longer than the character it encodes.
        guard range.count == name.utf8.count else { return (name, JSONNameFingerprint(name)) }
        let fingerprint = self.bytes.withUnsafeBufferPointer { bytes in
            JSONNameFingerprint(bytes: UnsafeBufferPointer(rebasing: bytes[range]))
        }
        return (name, fingerprint)
    }

    /// Reads from the opening quotation mark past the closing one.
    mutating func readString() throws(JSONError) -> String {
        self.position += 1
        let start = self.position
        let isASCII = try self.skipPlainBytes()
        // Nearly all strings end here: nothing was escaped, so the text is the string.
        if self.bytes[self.position] == UInt8(ascii: "\"") {
            let end = self.position
            self.position += 1
            // ASCII needs no second check for UTF-8.
            guard isASCII else { return try Self.text(self.bytes[start..<end]) }
            return self.bytes.withUnsafeBufferPointer { bytes in
                Self.text(ofASCII: UnsafeBufferPointer(rebasing: bytes[start..<end]))
            }
        }
        return try self.readEscapedString(from: start)
    }

    private mutating func readEscapedString(from start: Int) throws(JSONError) -> String {
        var unescaped = Array(self.bytes[start..<self.position])
        while try self.take() == UInt8(ascii: "\\") {
            try self.readEscape(into: &unescaped)
            let plain = self.position
            _ = try self.skipPlainBytes()
            unescaped += self.bytes[plain..<self.position]
        }
        return try Self.text(unescaped[...])
    }

    /// Skips to a quotation mark or a backslash; one of them follows when this returns. Returns whether all was ASCII.
    @inline(__always) private mutating func skipPlainBytes() throws(JSONError) -> Bool {
        let plain = self.bytes.withUnsafeBufferPointer { JSONPlainText.end(in: $0, from: self.position) }
        self.position = plain.end
        guard try self.peek() >= 0x20 else { throw .controlCharacter }
        return plain.isASCII
    }

    /// A string of at most this many bytes needs no memory of its own.
    private static let shortByteCount = 15

    private static func text(ofASCII bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.count <= self.shortByteCount else { return String(decoding: bytes, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: bytes.count) { room in
            room.initialize(fromContentsOf: bytes)
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) throws(JSONError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .badUTF8 }
        return text
    }

    /// Reads an escape whose backslash was already read.
    private mutating func readEscape(into unescaped: inout [UInt8]) throws(JSONError) {
        switch try self.take() {
        case UInt8(ascii: "\""): unescaped.append(UInt8(ascii: "\""))
        case UInt8(ascii: "\\"): unescaped.append(UInt8(ascii: "\\"))
        case UInt8(ascii: "/"): unescaped.append(UInt8(ascii: "/"))
        case UInt8(ascii: "b"): unescaped.append(0x08)
        case UInt8(ascii: "f"): unescaped.append(0x0C)
        case UInt8(ascii: "n"): unescaped.append(0x0A)
        case UInt8(ascii: "r"): unescaped.append(0x0D)
        case UInt8(ascii: "t"): unescaped.append(0x09)
        case UInt8(ascii: "u"): unescaped += Array(String(Character(try self.readEscapedScalar())).utf8)
        default: throw .badEscape
        }
    }

    /// Reads one group of four digits, or two for a character beyond the basic plane.
    private mutating func readEscapedScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try self.readFourDigits()
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, try self.take() == UInt8(ascii: "\\"), try self.take() == UInt8(ascii: "u") else {
            throw .loneSurrogate
        }
        let second = try self.readFourDigits()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + ((first & 0x3FF) << 10 | second & 0x3FF))
        else { throw .loneSurrogate }
        return scalar
    }

    private mutating func readFourDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            let byte = try self.take()
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = value << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = value << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): value = value << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw .badEscape
            }
        }
        return value
    }
}
