/// Base64url without padding (RFC 7515 §2), the encoding of every part of a JOSE object.
package enum Base64URL {
    private static let alphabet = Base64Alphabet(lastTwo: "-_", isPadded: false)

    package static func encode(_ bytes: [UInt8]) -> String { self.alphabet.encode(bytes) }

    package static func encode(_ bytes: some Collection<UInt8>) -> String { self.alphabet.encode(Array(bytes)) }

    /// Encodes a piece of memory.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        bytes.withMemoryRebound(to: UInt8.self) { self.alphabet.encode($0) }
    }

    /// Encodes a secret; the text is a secret too.
    package static func encode(_ secret: Secret) -> Secret {
        var text: [UInt8] = []
        self.alphabet.append(secret.exposed, to: &text)
        return Secret(text)
    }

    /// Appends the encoded bytes to a text.
    package static func append(_ bytes: [UInt8], to text: inout [UInt8]) { self.alphabet.append(bytes, to: &text) }

    /// Returns nil unless `encode` could have written it: no padding, no whitespace, unused bits zero (RFC 4648 §3.5).
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        if let bytes = text.utf8.withContiguousStorageIfAvailable({ self.alphabet.decode($0) }) { return bytes }
        return Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0) }
    }

    /// Decodes a text into memory. Returns false unless `encode` writes this text for exactly that many bytes.
    package static func decode(_ text: some StringProtocol, into bytes: UnsafeMutableRawBufferPointer) -> Bool {
        bytes.withMemoryRebound(to: UInt8.self) { bytes in
            let isDone = text.utf8.withContiguousStorageIfAvailable { self.alphabet.decode($0, into: bytes) }
            return isDone ?? Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0, into: bytes) }
        }
    }

    /// Decodes a text that is still bytes.
    package static func decode(bytes: ArraySlice<UInt8>) -> [UInt8]? {
        bytes.withUnsafeBufferPointer { self.alphabet.decode($0) }
    }
}

/// Base64 with the standard alphabet and padding (RFC 4648 §4), which HTTP Basic authentication uses.
package enum Base64 {
    private static let alphabet = Base64Alphabet(lastTwo: "+/", isPadded: true)

    package static func encode(_ bytes: some Collection<UInt8>) -> String { self.alphabet.encode(Array(bytes)) }

    /// Returns nil unless `encode` could have written it: padded, no whitespace, unused bits zero (RFC 4648 §3.5).
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0) }
    }
}
