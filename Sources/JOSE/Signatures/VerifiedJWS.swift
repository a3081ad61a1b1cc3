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

    /// Returns the payload of a JWT, or nil if it is not a JSON object (RFC 7519 §7.2 step 10).
    package func claims() -> JSON.Object? { Self.claims(in: self.payload) }

    static func claims(in payload: [UInt8]) -> JSON.Object? { (try? JSON(parsing: payload))?.object }
}

/// A token whose code was made with a secret that we share. Only `CompactJWS.verified` makes one.
///
/// It is not a `VerifiedJWS`: every party that knows the secret may have made it, including us.
package struct AuthenticatedJWS: Sendable {
    package let header: JOSEHeader
    package let payload: [UInt8]
    package let algorithm: MACAlgorithm

    /// Returns the payload of a JWT, or nil if it is not a JSON object (RFC 7519 §7.2 step 10).
    package func claims() -> JSON.Object? { VerifiedJWS.claims(in: self.payload) }
}
