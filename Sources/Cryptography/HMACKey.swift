import Base

/// A key prepared for HMAC with SHA-256 (RFC 2104 §4): the block that begins every code is digested only once.
package struct HMACKey: Sendable {
    private let inner: OpenSSLSHA256
    private let outer: OpenSSLSHA256

    package init(_ key: Secret) {
        // A key longer than a block is digested first (RFC 2104 §2).
        let isLong = key.count > OpenSSLSHA256.blockByteCount
        let key = isLong ? Digest.sha256.hash(key.exposed) : key.exposed
        self = key.withUnsafeBytes { Self(ofOneBlock: $0) }
    }

    /// Takes a key of at most one block, 64 bytes.
    package init(ofOneBlock key: UnsafeRawBufferPointer) {
        precondition(key.count <= OpenSSLSHA256.blockByteCount, "a longer key is digested first")
        self.inner = Self.digest(begunWith: key, xor: 0x36)
        self.outer = Self.digest(begunWith: key, xor: 0x5C)
    }

    private static func digest(begunWith key: UnsafeRawBufferPointer, xor padding: UInt8) -> OpenSSLSHA256 {
        var digest = OpenSSLSHA256()
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: OpenSSLSHA256.blockByteCount) { block in
            block.initialize(repeating: padding)
            for index in key.indices { block[index] ^= key[index] }
            digest.update(UnsafeRawBufferPointer(block))
            // The key can be derived from this block.
            OpenSSLMemory.wipe(UnsafeMutableRawBufferPointer(block))
        }
        return digest
    }

    /// Returns the code of a message.
    package func code(_ message: [UInt8]) -> [UInt8] { self.code { $0.append(message) }.array() }

    /// Returns the code of everything that `write` appends.
    package func code(of write: (inout HMACMessage) -> Void) -> DigestBytes {
        var message = HMACMessage(self.inner)
        write(&message)
        var outer = self.outer
        message.digest.finish().withBytes { outer.update($0) }
        return outer.finish()
    }
}

extension HMACKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "‹secret›" }

    package var debugDescription: String { self.description }

    /// Without this, `dump` and every logger that reflects would walk into the state.
    package var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}

/// A message that is digested piece by piece, so that the caller does not have to join the pieces.
package struct HMACMessage {
    var digest: OpenSSLSHA256

    init(_ digest: OpenSSLSHA256) { self.digest = digest }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { self.digest.update(bytes) }

    package mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { self.digest.update($0) } }

    package mutating func append(_ text: String) {
        text.withBytes { self.digest.update(UnsafeRawBufferPointer($0)) }
    }
}

/// A keyed digest (RFC 2104).
package enum HMAC {
    package static func code(_ message: [UInt8], key: Secret, _ digest: Digest = .sha256) -> [UInt8] {
        switch digest {
        case .sha256: HMACKey(key).code(message)
        case .sha384, .sha512: OpenSSLHMAC.code(message, key: key, digest)
        }
    }
}
