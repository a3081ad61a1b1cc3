// Text from spans of bytes, and text written to memory.

extension String {
    /// Takes bytes that are known to be ASCII.
    init(ascii bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// Reads UTF-8. If it is invalid, each byte becomes one character as in ISO 8859-1, the former encoding of field
    /// values (RFC 9110 §5.5).
    init(fieldValue bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { bytes in
            String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
        }
    }
}

extension Span<UInt8> {
    func isEqual(to text: StaticString) -> Bool {
        guard self.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for index in self.indices where self[index] != text[index] { return false }
            return true
        }
    }

    /// `text` must be in lower case.
    func isEqualIgnoringCase(to text: StaticString) -> Bool {
        guard self.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { text in
            for index in self.indices where self[index].lowercased != text[index] { return false }
            return true
        }
    }

    func firstIndex(of byte: UInt8) -> Int? {
        for index in self.indices where self[index] == byte { return index }
        return nil
    }
}

// MARK: - Writing

/// Appends pieces to the room for a whole head, with one check of the memory for each piece.
extension OutputSpan<UInt8> {
    /// There must be enough room.
    mutating func append(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { bytes in
            self.withUnsafeMutableBufferPointer { room, count in
                count = room[count...].initialize(fromContentsOf: bytes)
            }
        }
    }

    mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { self.append($0.span) }
    }

    /// The number must not be negative.
    mutating func append(decimal number: Int) {
        if number >= 10 { self.append(decimal: number / 10) }
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
