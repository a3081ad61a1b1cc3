import Base

/// The file of the key that names people by their national numbers. There is one, and it never changes.
package enum PersonKeyFile {
    static let format = SecretKeyFile(name: "person")

    package static func generate() -> Secret { Self.format.generate() }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret { try Self.format.key(in: file) }
}
