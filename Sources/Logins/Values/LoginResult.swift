import Brokers

/// The encrypted content of a completed login: the identity, and the app's nonce that belongs to it.
package struct LoginResult: Equatable, Sendable {
    package let identity: Identity
    /// From the create request. The assertion returns it.
    package let nonce: String?

    package init(_ identity: Identity, nonce: String?) {
        self.identity = identity
        self.nonce = nonce
    }

    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(self.nonce)
        writer.write(self.identity.encoded())
        return writer.bytes
    }

    /// Returns nil if the bytes were not made by `bytes`.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReaderError) {
            let nonce = try reader.readOptionalString()
            guard let identity = Identity(encoded: try reader.readBytes()) else { return nil }
            self.init(identity, nonce: nonce)
        } catch {
            return nil
        }
    }
}
