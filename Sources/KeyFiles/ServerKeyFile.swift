/// The file of a server key: the lines of `KeyTimes`, then one line with a prefix that says what it is, and 32 random
/// bytes as base64url.
import Base

package enum ServerKeyFile {
    static let prefix = "switchback-server-key-1:"
    package static let byteCount = 32

    package static func generate() -> Secret {
        Secret(Self.prefix + Base64URL.encode(RandomBytes.make(Self.byteCount)) + "\n")
    }

    /// Returns the 32 bytes of the key.
    package static func key(in file: [UInt8]) throws(FileError) -> Secret {
        var line = String(decoding: file, as: UTF8.self)[...]
        // Skip the lines of `KeyTimes`.
        while line.hasPrefix("#"), let end = line.firstIndex(of: "\n") { line = line[line.index(after: end)...] }
        if line.hasSuffix("\n") { line.removeLast() }
        guard line.hasPrefix(Self.prefix) else {
            throw FileError(
                "\(Self.description(of: String(line))); `switchback keys generate server` makes one")
        }
        guard let bytes = Base64URL.decode(line.dropFirst(Self.prefix.count)) else {
            throw FileError("is a server key that is damaged: it is not one line of base64url")
        }
        guard bytes.count == Self.byteCount else {
            throw FileError("is a server key of \(bytes.count) bytes; it must have \(Self.byteCount)")
        }
        return Secret(bytes)
    }

    private static func description(of text: String) -> String {
        if text.hasPrefix("-----BEGIN") { return "is a PEM file and not a server key" }
        if text.hasPrefix("switchback-server-key-") { return "is a server key of another version" }
        return text.isEmpty ? "is empty" : "is not a server key"
    }
}
