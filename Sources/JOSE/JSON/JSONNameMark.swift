/// What tells a member's name from most others without a look at the name: how it begins, and how long it is.

/// The same name has the same mark, always.
struct JSONNameMark: Equatable {
    private let bits: UInt64

    /// Names that are no longer are all in their mark.
    private static let prefixByteCount = 7
    private static let longest: UInt64 = 0x7F
    private static let notASCII: UInt64 = 0x80

    init(_ name: String) {
        var name = name
        self.bits = name.withUTF8 { bytes in
            var (prefix, seen): (UInt64, UInt8) = (0, 0)
            for index in 0..<bytes.count {
                if index < Self.prefixByteCount { prefix = prefix << 8 | UInt64(bytes[index]) }
                seen |= bytes[index]
            }
            return prefix << 8 | min(UInt64(bytes.count), Self.longest) | (seen < 0x80 ? 0 : Self.notASCII)
        }
    }

    var isASCII: Bool { self.bits & Self.notASCII == 0 }

    /// Whether two names with this mark are the same.
    var isWholeName: Bool { self.bits & Self.longest <= UInt64(Self.prefixByteCount) }
}
