/// What a JWT library reads to verify assertions: the issuer, where its keys are and which algorithms it signs with
/// (OpenID Connect Discovery 1.0 §3).
///
/// This server issues assertions and is no OpenID provider, so nothing is said that is not true: there is no
/// `authorization_endpoint`, no `token_endpoint`, and no `response_types_supported`, because it answers no authorization
/// request and §4.2 wants members without elements left out. `RS256` is listed only where a key makes it.
import JOSE
import Logins
import StrictJSON

struct DiscoveryDocument {
    /// The public URL.
    let issuer: String
    let keySetURI: String
    /// What the keys of assertions sign with, the active one first.
    let algorithms: [SignatureAlgorithm]
    /// Of assertions.
    var claims = Self.usualClaims
    /// Whether an app has its assertions encrypted.
    var encrypts = false

    static let usualClaims = [
        "iss", "aud", "sub", "iat", "exp", "jti", "nonce", "acr", "amr", "auth_time", "provider", "assurance", "proof",
        "broker_iss", "broker_sub", "previous_sub",
    ]

    /// Nil where nothing is signed.
    var json: JSON? {
        guard !self.algorithms.isEmpty else { return nil }
        var document: JSON.Object = [
            "issuer": .string(self.issuer), "jwks_uri": .string(self.keySetURI),
            // A `sub` is the same for every app (Core 8).
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": .array(self.algorithms.map { .string($0.rawValue) }),
            "claims_supported": .array(self.claims.map { .string($0) }),
            // Left out, it would mean true.
            "request_uri_parameter_supported": false,
        ]
        if self.encrypts {
            document["id_token_encryption_alg_values_supported"] =
                .array(RecipientKeyFile.algorithmNames.map { .string($0) })
            document["id_token_encryption_enc_values_supported"] = [.string(RecipientKeyFile.encryption.rawValue)]
        }
        return .object(document)
    }
}

extension DiscoveryDocument {
    init(_ configuration: Configuration) {
        var algorithms: [SignatureAlgorithm] = []
        for algorithm in configuration.assertionKeys.compactMap(\.usualAlgorithm)
        where !algorithms.contains(algorithm) { algorithms.append(algorithm) }
        self.init(
            issuer: configuration.publicURL.text, keySetURI: configuration.assertionKeySetURI, algorithms: algorithms)
        let terms = configuration.apps.map(\.assertion)
        let said = Set(terms.flatMap(\.claims))
        self.claims += AssertionClaim.allCases.filter(said.contains).map(\.rawValue)
        self.encrypts = terms.contains { $0.encrypter != nil }
    }
}
