/// Reads CBOR strictly (RFC 8949): definite lengths, shortest numbers, no key twice. Nothing traps, whatever the bytes
/// are.
package struct CBORReader: Sendable {
    package struct Limits: Sendable {
        package var byteCount: Int
        /// The deepest nesting of arrays and maps.
        package var depth: Int
        /// The largest number of items, which bounds the time and the memory that reading takes.
        package var itemCount: Int

        package init(byteCount: Int = 64 * 1024, depth: Int = 8, itemCount: Int = 1024) {
            self.byteCount = byteCount
            self.depth = depth
            self.itemCount = itemCount
        }
    }

    private var rest: ArraySlice<UInt8>
    private var depthLeft: Int
    private var itemsLeft: Int

    init(_ bytes: ArraySlice<UInt8>, limits: Limits = Limits()) throws(CBORError) {
        guard bytes.count <= limits.byteCount else { throw .tooLong }
        self.rest = bytes
        self.depthLeft = limits.depth
        self.itemsLeft = limits.itemCount
    }

    package var isAtEnd: Bool { self.rest.isEmpty }

    package mutating func readItem() throws(CBORError) -> CBOR {
        guard self.itemsLeft > 0 else { throw .tooManyItems }
        self.itemsLeft -= 1
        let (type, argument) = try self.readHead()
        switch type {
        case 0: return .unsigned(argument)
        case 1: return .negative(argument)
        case 2: return .bytes(Array(try self.take(argument)))
        case 3:
            guard let text = String(validating: try self.take(argument), as: UTF8.self) else { throw .badUTF8 }
            return .text(text)
        case 4: return .array(try self.readArray(argument))
        case 5: return .map(try self.readMap(argument))
        case 7: return try Self.simple(argument)
        default: throw .unsupportedItem
        }
    }

    private mutating func readArray(_ count: UInt64) throws(CBORError) -> [CBOR] {
        try self.enter(count, itemsEach: 1)
        var items: [CBOR] = []
        for _ in 0..<count { items.append(try self.readItem()) }
        self.depthLeft += 1
        return items
    }

    private mutating func readMap(_ count: UInt64) throws(CBORError) -> [CBOR.Pair] {
        try self.enter(count, itemsEach: 2)
        var pairs: [CBOR.Pair] = []
        var keys: Set<[UInt8]> = []
        for _ in 0..<count {
            let before = self.rest
            let key = try self.readItem()
            switch key {
            case .unsigned, .negative, .text: break
            case .bytes, .array, .map, .bool, .null: throw .unsupportedKey
            }
            // Equal keys have equal bytes, because each has only one encoding.
            guard keys.insert(Array(before[..<self.rest.startIndex])).inserted else { throw .duplicateKey }
            pairs.append(CBOR.Pair(key, try self.readItem()))
        }
        self.depthLeft += 1
        return pairs
    }

    /// A count is believed only as far as there are bytes for its items.
    private mutating func enter(_ count: UInt64, itemsEach: UInt64) throws(CBORError) {
        guard self.depthLeft > 0 else { throw .tooDeep }
        self.depthLeft -= 1
        guard count <= UInt64(self.rest.count) / itemsEach else { throw .endsEarly }
    }

    private static func simple(_ value: UInt64) throws(CBORError) -> CBOR {
        switch value {
        case 20: return .bool(false)
        case 21: return .bool(true)
        case 22: return .null
        default: throw .unsupportedItem
        }
    }

    // MARK: - Heads and bytes

    /// Reads the major type and its argument (RFC 8949 §3).
    private mutating func readHead() throws(CBORError) -> (type: UInt8, argument: UInt64) {
        guard let first = self.rest.popFirst() else { throw .endsEarly }
        let (type, information) = (first >> 5, first & 0x1F)
        switch information {
        case 0...23: return (type, UInt64(information))
        // A simple value in a second byte, or a floating-point number.
        case 24...27 where type == 7: throw .unsupportedItem
        case 24...27: return (type, try self.readArgument(byteCount: 1 << UInt64(information - 24)))
        case 28...30: throw .reserved
        default: throw .indefiniteLength
        }
    }

    private mutating func readArgument(byteCount: UInt64) throws(CBORError) -> UInt64 {
        var value: UInt64 = 0
        for byte in try self.take(byteCount) { value = value << 8 | UInt64(byte) }
        // Half as many bytes, or the first byte of the head, would have been enough.
        let isShortest = byteCount == 1 ? value > 23 : value >> (byteCount * 4) > 0
        guard isShortest else { throw .notShortest }
        return value
    }

    private mutating func take(_ count: UInt64) throws(CBORError) -> ArraySlice<UInt8> {
        guard count <= UInt64(self.rest.count) else { throw .endsEarly }
        let part = self.rest.prefix(Int(count))
        self.rest = self.rest.dropFirst(Int(count))
        return part
    }
}

extension CBOR {
    /// Reads bytes that are exactly one item.
    package init(parsing bytes: [UInt8], limits: CBORReader.Limits = CBORReader.Limits()) throws(CBORError) {
        var reader = try CBORReader(bytes[...], limits: limits)
        self = try reader.readItem()
        guard reader.isAtEnd else { throw .trailingBytes }
    }
}
