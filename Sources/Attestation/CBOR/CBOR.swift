/// A CBOR value (RFC 8949), as far as authenticators use it: no tags and no floating-point numbers.
package enum CBOR: Equatable, Sendable {
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBOR])
    /// In the order in which they were written. No key occurs twice.
    case map([Pair])
    case bool(Bool)
    case null

    package struct Pair: Equatable, Sendable {
        /// An integer or a text.
        package let key: CBOR
        package let value: CBOR

        package init(_ key: CBOR, _ value: CBOR) {
            self.key = key
            self.value = value
        }
    }
}

extension CBOR {
    package var bytes: [UInt8]? {
        guard case .bytes(let value) = self else { return nil }
        return value
    }

    package var text: String? {
        guard case .text(let value) = self else { return nil }
        return value
    }

    package var array: [CBOR]? {
        guard case .array(let value) = self else { return nil }
        return value
    }

    package var map: [Pair]? {
        guard case .map(let value) = self else { return nil }
        return value
    }

    /// The value with this key, if this is a map that has it.
    package subscript(_ key: CBOR) -> CBOR? { self.map?.first { $0.key == key }?.value }

    package subscript(_ key: String) -> CBOR? { self[.text(key)] }

    package subscript(_ key: Int) -> CBOR? { self[CBOR(key)] }

    package init(_ number: Int) {
        self = number >= 0 ? .unsigned(UInt64(number)) : .negative(UInt64(-1 - number))
    }
}

/// Why bytes are not the CBOR that we accept.
package enum CBORError: String, Error, CaseIterable, Sendable {
    case tooLong
    case tooDeep
    case tooManyItems
    /// The bytes end inside an item.
    case endsEarly
    /// There are more bytes after the item.
    case trailingBytes
    /// A number or a length that could have been written shorter (RFC 8949 §4.2.1).
    case notShortest
    /// A string, array or map without a length (RFC 8949 §4.2.1 forbids them in deterministic encoding).
    case indefiniteLength
    /// The additional information 28 to 30 (RFC 8949 §3).
    case reserved
    case badUTF8
    /// A map must not have a key twice (RFC 8949 §5.6).
    case duplicateKey
    /// A key that is neither an integer nor a text.
    case unsupportedKey
    /// A tag, a floating-point number or a simple value that no authenticator writes.
    case unsupportedItem
}
