import Base

/// A font as it is in its file: WOFF2, small enough for a phone.
package struct FontFile: Equatable, Sendable {
    /// In bytes. It is loaded once, and the text is shown before that.
    static let limit = 96 * 1024
    /// WOFF 2.0 §4.1.
    private static let signature = Array("wOF2".utf8)

    package let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(FileError) {
        guard bytes.starts(with: Self.signature) else { throw FileError("is no WOFF2 font") }
        guard bytes.count <= Self.limit else {
            throw FileError(
                "has \(bytes.count) bytes, and a font may have \(Self.limit): leave out the letters that no text has")
        }
        self.bytes = bytes
    }
}
