import Base

/// The file of a secret key: the lines of `KeyTimes`, then one line with a prefix that says what the key is for, and 32
/// random bytes as base64url.
struct SecretKeyFile: Sendable {
    /// `server`, `session` or `person`: a key of one kind never passes as another.
    let name: String
    static let byteCount = 32
    static let kinds = [ServerKeyFile.format, SessionKeyFile.format, PersonKeyFile.format]

    private var series: String { "switchback-\(self.name)-key-" }
    var prefix: String { "\(self.series)1:" }

    func generate() -> Secret {
        Secret(self.prefix + Base64URL.encode(RandomBytes.make(Self.byteCount)) + "\n")
    }

    /// Returns the 32 bytes of the key.
    func key(in file: [UInt8]) throws(FileError) -> Secret {
        var line = String(decoding: file, as: UTF8.self)[...]
        // Skip the lines of `KeyTimes`.
        while line.hasPrefix("#"), let end = line.firstIndex(of: "\n") { line = line[line.index(after: end)...] }
        if line.hasSuffix("\n") { line.removeLast() }
        guard line.hasPrefix(self.prefix) else {
            throw FileError(
                "\(self.description(of: String(line))); `switchback keys generate \(self.name)` makes one")
        }
        guard let bytes = Base64URL.decode(line.dropFirst(self.prefix.count)) else {
            throw FileError("is a \(self.name) key that is damaged: it is not one line of base64url")
        }
        guard bytes.count == Self.byteCount else {
            throw FileError("is a \(self.name) key of \(bytes.count) bytes; it must have \(Self.byteCount)")
        }
        return Secret(bytes)
    }

    private func description(of text: String) -> String {
        if text.hasPrefix("-----BEGIN") { return "is a PEM file and not a \(self.name) key" }
        if text.hasPrefix(self.series) { return "is a \(self.name) key of another version" }
        if let other = Self.kinds.first(where: { text.hasPrefix($0.series) }) {
            return "is a \(other.name) key and not a \(self.name) key"
        }
        return text.isEmpty ? "is empty" : "is not a \(self.name) key"
    }
}

/// The file of the key that names people by their national numbers. There is one, and it never changes.
package enum PersonKeyFile {
    static let format = SecretKeyFile(name: "person")

    package static func generate() -> Secret { Self.format.generate() }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret { try Self.format.key(in: file) }
}

/// The file of a server key, which encrypts the logins in a store.
package enum ServerKeyFile {
    static let format = SecretKeyFile(name: "server")

    package static func generate() -> Secret { Self.format.generate() }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret { try Self.format.key(in: file) }
}

/// The file of a session key, which encrypts the sessions in a store. It is never a server key too.
package enum SessionKeyFile {
    static let format = SecretKeyFile(name: "session")

    package static func generate() -> Secret { Self.format.generate() }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret { try Self.format.key(in: file) }
}
