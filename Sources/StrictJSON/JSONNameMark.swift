/// What tells a member's name from most others without a look at the name: how it begins, and how long it is.
import Base

/// The same name has the same mark, always.
struct JSONNameMark: Equatable {
    private let bits: UInt64

    /// Names that are no longer are all in their mark.
    private static let prefixByteCount = 7
    private static let longest: UInt64 = 0x7F
    private static let notASCII: UInt64 = 0x80

    init(_ name: borrowing String) { self = name.withBytes { Self(bytes: $0) } }

    /// The same for a name that is not made a string yet.
    init(bytes: UnsafeBufferPointer<UInt8>) {
        let memory = UnsafeRawBufferPointer(bytes)
        var (prefix, seen): (UInt64, UInt64) = (0, 0)
        if memory.count >= 8 {
            // Eight at once, because every name is looked at; the last eight are not all new.
            var position = 0
            while position < memory.count {
                let offset = min(position, memory.count &- 8)
                seen |= memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                position &+= 8
            }
            prefix = UInt64(littleEndian: memory.loadUnaligned(as: UInt64.self))
        } else {
            prefix = ShortWord.read(memory, from: 0)
            seen = prefix
        }
        let isASCII = seen & 0x8080_8080_8080_8080 == 0
        self.bits = prefix &<< 8 | min(UInt64(memory.count), Self.longest) | (isASCII ? 0 : Self.notASCII)
    }

    var isASCII: Bool { self.bits & Self.notASCII == 0 }

    /// Whether two names with this mark are the same.
    var isWholeName: Bool { self.bits & Self.longest <= UInt64(Self.prefixByteCount) }
}
