/// Base64 with the standard alphabet and padding (RFC 4648 §4), as HTTP Basic authentication wants it.

package enum Base64 {
    private static let alphabet = Base64Alphabet(lastTwo: "+/", isPadded: true)

    package static func encode(_ bytes: some Collection<UInt8>) -> String { self.alphabet.encode(Array(bytes)) }

    /// Nil unless the text is what `encode` writes: padded, no blanks, unused bits zero (RFC 4648 §3.5).
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        Array(text.utf8).withUnsafeBufferPointer { self.alphabet.decode($0) }
    }
}
