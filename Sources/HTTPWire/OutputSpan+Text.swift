// Text put into room that was made for it: a head is written with one look at the memory it takes.

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
