/// What a proxy says before all else on a connection: whose it is (HAProxy's PROXY protocol, versions 1 and 2).
///
/// The bytes so far are read anew whenever some more have come; that is cheap, because there can be only a few.
package struct ProxyHeader: Equatable, Sendable {
    /// Nil when the proxy speaks for itself, as when it looks whether we live (LOCAL), and when it does not say for whom
    /// (UNKNOWN, UNSPEC, a Unix socket): then the connection counts as the proxy's own.
    package let client: IPAddress?
    /// How many bytes it is. What follows is for others.
    package let length: Int

    init(client: IPAddress?, length: Int) {
        self.client = client
        self.length = length
    }

    /// Nil when bytes are missing. A beginning that can be no header is refused at its first wrong byte.
    package static func read(_ bytes: Span<UInt8>) throws(ProxyHeaderError) -> ProxyHeader? {
        guard !bytes.isEmpty else { return nil }
        return bytes[0] == .carriageReturn ? try Self.readBinary(bytes) : try Self.readText(bytes)
    }

    package static func read(_ bytes: [UInt8]) throws(ProxyHeaderError) -> ProxyHeader? { try Self.read(bytes.span) }

    /// True when all of `signature` has come, false when it may still.
    static func begins(_ bytes: Span<UInt8>, with signature: StaticString) throws(ProxyHeaderError) -> Bool {
        let count = min(bytes.count, signature.utf8CodeUnitCount)
        for index in 0..<count where bytes[index] != signature.utf8Start[index] { throw .missing }
        return bytes.count >= signature.utf8CodeUnitCount
    }
}

/// Why the first bytes are not a PROXY header. We close without an answer, because no request was read.
package enum ProxyHeaderError: Error, Equatable, Sendable, CaseIterable {
    /// The connection begins with something else.
    case missing
    /// Version 1: not `PROXY family source destination port port`.
    case badLine
    /// Version 2: a version or command that there is not.
    case badCommand
    /// Version 2: a family or protocol that there is not, or no room for its addresses.
    case badFamily
    /// Version 2: what follows the addresses does not add up.
    case badExtension
    /// Version 2: the header is not the one that its checksum was made of.
    case badChecksum
    case tooLong
}
