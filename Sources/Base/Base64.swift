/// Base64url without padding, as every part of JOSE is written (RFC 7515 §2).

package enum Base64URL {
    private static let alphabet = Base64Alphabet(lastTwo: "-_", isPadded: false)

    package static func encode(_ bytes: [UInt8]) -> String { self.alphabet.encode(bytes) }

    package static func encode(_ bytes: some Collection<UInt8>) -> String { self.alphabet.encode(Array(bytes)) }

    /// The same for memory.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.withMemoryRebound(to: UInt8.self) { self.alphabet.encode($0) }
    }

    /// The same as a secret.
    package static func encode(_ secret: Secret) -> Secret {
        var text: [UInt8] = []
        self.alphabet.append(secret.exposed, to: &text)
        return Secret(text)
    }

    /// The same, put at the end of a text.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) { self.alphabet.append(bytes, to: &text) }

    /// Nil unless the text is what `encode` writes: no padding, no blanks, unused bits zero (RFC 4648 §3.5).
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        if let bytes = text.utf8.withContiguousStorageIfAvailable({ self.alphabet.decode($0) }) { return bytes }
        return Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0) }
    }

    /// Fills memory with the bytes of a text. False unless the text is what `encode` writes for so many bytes.
    package static func decode(_ text: some StringProtocol, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
            let isDone = text.utf8.withContiguousStorageIfAvailable { self.alphabet.decode($0, into: bytes) }
            return isDone ?? Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0, into: bytes) }
        }
    }

    /// The same for bytes that have not been made a string.
    package static func decode(bytes: ArraySlice<UInt8>) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { self.alphabet.decode($0) }
    }
}

/// Base64 with the standard alphabet and padding (RFC 4648 §4), as HTTP Basic authentication wants it.
package enum Base64 {
    private static let alphabet = Base64Alphabet(lastTwo: "+/", isPadded: true)

    package static func encode(_ bytes: some Collection<UInt8>) -> String { self.alphabet.encode(Array(bytes)) }

    /// Nil unless the text is what `encode` writes: padded, no blanks, unused bits zero (RFC 4648 §3.5).
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0) }
    }
}
