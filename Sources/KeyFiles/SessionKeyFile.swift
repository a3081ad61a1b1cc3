import Base

/// The file of a session key, which encrypts the sessions in a store. It is never a server key too.
package enum SessionKeyFile {
    static let format = SecretKeyFile(name: "session")

    package static func generate() -> Secret { Self.format.generate() }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret { try Self.format.key(in: file) }
}
