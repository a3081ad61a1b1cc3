/// A public key on P-256, and its thumbprint (RFC 7638).
public struct P256PublicKey: Codable, Hashable, Sendable {
    /// The x coordinate as base64url.
    let x: String
    /// The y coordinate as base64url.
    let y: String

    /// Creates a key from an uncompressed point (SEC 1 §2.3.3): the byte 4, then x and y with 32 bytes each. Nil for
    /// any other form. Whether the point is on the curve is not checked, because the key is this device's own.
    public init?(uncompressedPoint point: some Collection<UInt8>) {
        guard point.count == 65, point.first == 4 else { return nil }
        self.x = Base64URL.encode(point.dropFirst().prefix(32))
        self.y = Base64URL.encode(point.dropFirst(33))
    }

    /// The thumbprint: 43 characters of base64url. A login carries it as `dpop_jkt`.
    public var thumbprint: String { Base64URL.encode(SHA256.hash(Array(self.json.utf8))) }

    /// The required members in the order of RFC 7638 §3.3, which is also the `jwk` of a proof.
    var json: String { #"{"crv":"P-256","kty":"EC","x":"\#(self.x)","y":"\#(self.y)"}"# }
}
