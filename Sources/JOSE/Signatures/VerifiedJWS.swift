import StrictJSON

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

    /// Returns the payload of a JWT (RFC 7519 §7.2 step 10).
    package func claims() throws(JWSError) -> JSON.Object { try Self.claims(in: self.payload) }

    static func claims(in payload: [UInt8]) throws(JWSError) -> JSON.Object {
        guard let claims = (try? JSON(parsing: payload))?.object else { throw .badClaims }
        return claims
    }
}

/// A token whose code was made with a secret that we share. Only `CompactJWS.verified` makes one.
///
/// It is not a `VerifiedJWS`: every party that knows the secret may have made it, including us.
package struct AuthenticatedJWS: Sendable {
    package let header: JOSEHeader
    package let payload: [UInt8]
    package let algorithm: MACAlgorithm

    /// Returns the payload of a JWT (RFC 7519 §7.2 step 10).
    package func claims() throws(JWSError) -> JSON.Object { try VerifiedJWS.claims(in: self.payload) }
}
