import Base

/// Tells a member's name from most others without reading the name: its first bytes and its length.
///
/// Equal names always have equal fingerprints.
struct JSONNameFingerprint: Equatable {
    private let bits: UInt64

    /// A name up to this length is in its fingerprint as a whole.
    private static let prefixByteCount = 7
    private static let longest: UInt64 = 0x7F
    private static let notASCII: UInt64 = 0x80

    init(_ name: borrowing String) { self = name.withBytes { Self(bytes: $0) } }

    /// Makes the fingerprint of a name that is not a string yet.
    init(bytes: UnsafeBufferPointer<UInt8>) {
        let memory = UnsafeRawBufferPointer(bytes)
        var (prefix, allBits): (UInt64, UInt64) = (0, 0)
        if memory.count >= 8 {
            // Reads eight bytes at a time, because every name comes through here. The last eight may overlap.
            var position = 0
            while position < memory.count {
                let offset = min(position, memory.count &- 8)
                allBits |= memory.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                position &+= 8
            }
            prefix = UInt64(littleEndian: memory.loadUnaligned(as: UInt64.self))
        } else {
            prefix = ShortWord.read(memory, from: 0)
            allBits = prefix
        }
        let isASCII = allBits & 0x8080_8080_8080_8080 == 0
        self.bits = prefix &<< 8 | min(UInt64(memory.count), Self.longest) | (isASCII ? 0 : Self.notASCII)
    }

    var isASCII: Bool { self.bits & Self.notASCII == 0 }

    /// True if two names that share this fingerprint must be equal.
    var isWholeName: Bool { self.bits & Self.longest <= UInt64(Self.prefixByteCount) }
}
