/// A token whose code was made with a secret that we share. Only `CompactJWS.verified` makes one.

/// It is not a `VerifiedJWS`: everybody who has the secret may have made it, we among them.
package struct AuthenticatedJWS: Sendable {
    package let header: JOSEHeader
    package let payload: [UInt8]
    package let algorithm: MACAlgorithm

    /// The payload of a JWT (RFC 7519 §7.2 step 10).
    package func claims() throws(JWS.Failure) -> JSON.Object { try VerifiedJWS.claims(in: self.payload) }
}
