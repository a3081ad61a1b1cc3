import Base

/// The file of a server key, which encrypts the logins in a store.
package enum ServerKeyFile {
    static let format = SecretKeyFile(name: "server")

    package static func generate() -> Secret { Self.format.generate() }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret { try Self.format.key(in: file) }
}
