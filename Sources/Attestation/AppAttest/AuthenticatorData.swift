/// The authenticator data of an attestation (Web Authentication §6.1), as App Attest fills it in.
package struct AuthenticatorData: Equatable, Sendable {
    /// SHA-256 of the app id.
    package let rpIDHash: [UInt8]
    package let counter: UInt32
    package let aaguid: [UInt8]
    package let credentialID: [UInt8]
    /// The key as an uncompressed point (SEC 1 §2.3.3).
    package let publicKey: [UInt8]

    /// Says that a credential follows.
    private static let hasCredential: UInt8 = 0x40
    /// Says that extensions follow the credential.
    private static let hasExtensions: UInt8 = 0x80
    private static let limits = CBORReader.Limits(byteCount: 4096, depth: 4, itemCount: 64)

    /// Throws unless the bytes are exactly authenticator data with a credential.
    package init(parsing bytes: [UInt8]) throws(Refusal) {
        var rest = bytes[...]
        self.rpIDHash = Array(try Self.take(32, from: &rest))
        let flags = Self.number(try Self.take(1, from: &rest))
        self.counter = Self.number(try Self.take(4, from: &rest))
        guard flags & UInt32(Self.hasCredential) != 0 else { throw .malformedAuthenticatorData }
        self.aaguid = Array(try Self.take(16, from: &rest))
        self.credentialID = Array(try Self.take(Int(Self.number(try Self.take(2, from: &rest))), from: &rest))
        var (key, extensions): (CBOR?, CBOR?)
        do throws(CBORError) {
            var reader = try CBORReader(rest, limits: Self.limits)
            key = try reader.readItem()
            // Since iOS 27 phones add extensions, but leave out the flag that announces them.
            if !reader.isAtEnd { extensions = try reader.readItem() }
            guard reader.isAtEnd else { throw .trailingBytes }
        } catch {
            throw .malformedAuthenticatorData
        }
        let isComplete = extensions.map { $0.map != nil } ?? (flags & UInt32(Self.hasExtensions) == 0)
        guard isComplete, let point = key.flatMap(Self.point) else { throw .malformedAuthenticatorData }
        self.publicKey = point
    }

    /// Reads a COSE key for ES256 on P-256 (RFC 9053 §2.1 and §7.1.1).
    private static func point(_ key: CBOR) -> [UInt8]? {
        // The members: kty is EC2, alg is ES256, crv is P-256.
        guard key[1] == CBOR(2), key[3] == CBOR(-7), key[-1] == CBOR(1), let x = key[-2]?.bytes,
            let y = key[-3]?.bytes, x.count == 32, y.count == 32
        else { return nil }
        return [4] + x + y
    }

    private static func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(Refusal) -> ArraySlice<UInt8> {
        guard count <= rest.count else { throw .malformedAuthenticatorData }
        let part = rest.prefix(count)
        rest = rest.dropFirst(count)
        return part
    }

    /// At most four bytes, the highest first.
    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
