import JOSE
import Logins
import StrictJSON

/// What a JWT library reads to verify assertions: the issuer, the URL of its keys and its signature algorithms (OpenID
/// Connect Discovery 1.0 §3).
///
/// This server issues assertions but is not an OpenID provider, and the document claims nothing else. It has no
/// `authorization_endpoint`, no `token_endpoint` and no `response_types_supported`: the server answers no authorization
/// request, and §4.2 requires empty members to be left out. `RS256` is listed only if a key signs with it.
package struct DiscoveryDocument: Sendable {
    /// The encryption algorithms of assertions.
    package struct Encryption: Equatable, Sendable {
        /// Key management algorithms (`alg`).
        let algorithms: [String]
        /// Content encryption algorithms (`enc`).
        let contents: [String]

        package init(algorithms: [String], contents: [String]) {
            self.algorithms = algorithms
            self.contents = contents
        }
    }

    /// The public URL.
    private let issuer: String
    /// The signature algorithms of the assertion keys, the active key's first.
    private let algorithms: [SignatureAlgorithm]
    /// The claims about the user that assertions may have.
    package var claims: Set<AssertionClaim> = []
    /// Nil if no app has its assertions encrypted.
    package var encryption: Encryption?

    private static let usualClaims = [
        "iss", "aud", "sub", "iat", "exp", "jti", "nonce", "acr", "amr", "auth_time", "provider", "assurance", "proof",
        "broker_iss", "broker_sub", "previous_sub",
    ]

    package init(issuer: String, algorithms: [SignatureAlgorithm]) {
        self.issuer = issuer
        self.algorithms = algorithms
    }

    /// Nil if there are no keys for assertions.
    package var json: JSON? {
        guard !self.algorithms.isEmpty else { return nil }
        let claims = Self.usualClaims + AssertionClaim.allCases.filter(self.claims.contains).map(\.rawValue)
        var document: JSON.Object = [
            "issuer": .string(self.issuer), "jwks_uri": .string(self.issuer + PathPattern.assertionKeys.path),
            // A user has the same `sub` in every app (Core 8).
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(self.algorithms.map { .string($0.rawValue) }),
            "claims_supported": .array(claims.map { .string($0) }),
            // Without this member the default would be true.
            "request_uri_parameter_supported": false,
        ]
        if let encryption {
            document["id_token_encryption_alg_values_supported"] = .array(encryption.algorithms.map { .string($0) })
            document["id_token_encryption_enc_values_supported"] = .array(encryption.contents.map { .string($0) })
        }
        return .object(document)
    }
}
