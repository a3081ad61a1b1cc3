/// A token whose signature was verified. Only `CompactJWS.verified` makes one.

package struct VerifiedJWS: Sendable {
    package let header: JOSEHeader
    package let payload: [UInt8]
    package let algorithm: SignatureAlgorithm

    init(header: JOSEHeader, payload: [UInt8], algorithm: SignatureAlgorithm) {
        self.header = header
        self.payload = payload
        self.algorithm = algorithm
    }

    /// The payload of a JWT (RFC 7519 §7.2 step 10).
    package func claims() throws(JWS.Failure) -> JSON.Object { try Self.claims(in: self.payload) }

    static func claims(in payload: [UInt8]) throws(JWS.Failure) -> JSON.Object {
        guard let claims = (try? JSON(parsing: payload))?.object else { throw .badClaims }
        return claims
    }
}
