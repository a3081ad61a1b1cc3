// Bytes as text, read from spans and written to memory.

extension String {
    /// Of bytes that were found to be ASCII.
    init(ascii bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    /// UTF-8, or, if it is none, one character a byte, as in ISO 8859-1, which field values once were (RFC 9110 §5.5).
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

    /// `text` is in lower case.
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

/// Room that was made for a whole head is filled with one look at the memory it takes.
extension OutputSpan<UInt8> {
    /// There must be room for them.
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

    /// Not negative.
    mutating func append(decimal number: Int) {
        if number >= 10 { self.append(decimal: number / 10) }
        self.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
    }
}
