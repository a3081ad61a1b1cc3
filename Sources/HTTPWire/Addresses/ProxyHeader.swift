/// What a proxy sends first on a connection: whose connection it is (HAProxy's PROXY protocol, versions 1 and 2).
///
/// Each time more bytes arrive, all of them are read again. That is cheap, because there can be only a few.
package struct ProxyHeader: Equatable, Sendable {
    /// Nil if the proxy speaks for itself, as in a health check (LOCAL), or does not name a client (UNKNOWN, UNSPEC, a
    /// Unix socket). Then the connection counts as the proxy's own.
    package let client: IPAddress?
    /// The number of bytes in the header. The message follows.
    package let length: Int

    init(client: IPAddress?, length: Int) {
        self.client = client
        self.length = length
    }

    /// Returns nil if bytes are missing. An invalid header is refused at its first wrong byte.
    package static func read(_ bytes: Span<UInt8>) throws(ProxyHeaderError) -> ProxyHeader? {
        guard !bytes.isEmpty else { return nil }
        return bytes[0] == .carriageReturn ? try Self.readBinary(bytes) : try Self.readText(bytes)
    }

    package static func read(_ bytes: [UInt8]) throws(ProxyHeaderError) -> ProxyHeader? { try Self.read(bytes.span) }

    /// Returns true if all of `signature` has arrived, false if more may follow.
    static func begins(_ bytes: Span<UInt8>, with signature: StaticString) throws(ProxyHeaderError) -> Bool {
        let count = min(bytes.count, signature.utf8CodeUnitCount)
        for index in 0..<count where bytes[index] != signature.utf8Start[index] { throw .missing }
        return bytes.count >= signature.utf8CodeUnitCount
    }
}

/// Why the first bytes are not a PROXY header. We close without a response, because no request was read.
package enum ProxyHeaderError: Error, Equatable, Sendable, CaseIterable {
    /// The connection begins with something else.
    case missing
    /// Version 1: not `PROXY family source destination port port`.
    case badLine
    /// Version 2: an unknown version or command.
    case badCommand
    /// Version 2: an unknown family or protocol, or no room for its addresses.
    case badFamily
    /// Version 2: the lengths after the addresses do not add up.
    case badExtension
    /// Version 2: the checksum does not match the header.
    case badChecksum
    case tooLong
}
