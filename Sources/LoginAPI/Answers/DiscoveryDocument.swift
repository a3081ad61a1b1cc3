/// What a JWT library reads to verify assertions: the issuer, where its keys are and which algorithms it signs with
/// (OpenID Connect Discovery 1.0 §3).
///
/// This server issues assertions and is no OpenID provider, so nothing is said that is not true: there is no
/// `authorization_endpoint`, no `token_endpoint`, and no `response_types_supported`, because it answers no authorization
/// request and §4.2 wants members without elements left out. `RS256` is listed only where a key makes it.
import JOSE
import Logins
import StrictJSON

package struct DiscoveryDocument: Sendable {
    /// How apps have their assertions encrypted.
    package struct Encryption: Equatable, Sendable {
        /// Of keys (`alg`).
        let algorithms: [String]
        /// Of contents (`enc`).
        let contents: [String]

        package init(algorithms: [String], contents: [String]) {
            self.algorithms = algorithms
            self.contents = contents
        }
    }

    /// The public URL.
    private let issuer: String
    /// What the keys of assertions sign with, the active one first.
    private let algorithms: [SignatureAlgorithm]
    /// What assertions say of the person.
    package var claims: Set<AssertionClaim> = []
    /// Nil where no app has them encrypted.
    package var encryption: Encryption?

    private static let usualClaims = [
        "iss", "aud", "sub", "iat", "exp", "jti", "nonce", "acr", "amr", "auth_time", "provider", "assurance", "proof",
        "broker_iss", "broker_sub", "previous_sub",
    ]

    package init(issuer: String, algorithms: [SignatureAlgorithm]) {
        self.issuer = issuer
        self.algorithms = algorithms
    }

    /// Nil where nothing is signed.
    package var json: JSON? {
        guard !self.algorithms.isEmpty else { return nil }
        let claims = Self.usualClaims + AssertionClaim.allCases.filter(self.claims.contains).map(\.rawValue)
        var document: JSON.Object = [
            "issuer": .string(self.issuer), "jwks_uri": .string(self.issuer + Route.keys.path),
            // A `sub` is the same for every app (Core 8).
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(self.algorithms.map { .string($0.rawValue) }),
            "claims_supported": .array(claims.map { .string($0) }),
            // Left out, it would mean true.
            "request_uri_parameter_supported": false,
        ]
        if let encryption {
            document["id_token_encryption_alg_values_supported"] = .array(encryption.algorithms.map { .string($0) })
            document["id_token_encryption_enc_values_supported"] = .array(encryption.contents.map { .string($0) })
        }
        return .object(document)
    }
}
