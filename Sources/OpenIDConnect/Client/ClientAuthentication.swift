import Base
import JOSE

/// How we authenticate as the client at a provider's endpoints.
package enum ClientAuthentication: Sendable {
    /// How id and secret are encoded before they are joined for `Basic`.
    package enum BasicEncoding: String, CaseIterable, Sendable {
        /// RFC 6749 §2.3.1: each is form-encoded.
        case formEncoded = "form"
        /// Unchanged, which some providers want.
        case raw
    }

    /// The `aud` of a client assertion.
    package enum AssertionAudience: String, CaseIterable, Sendable {
        case issuer
        /// The token endpoint, even when another endpoint is called (Core 9).
        case tokenEndpoint = "token_endpoint"
        /// The endpoint that is called. RFC 9126 §2 requires providers to accept it, and some accept nothing else.
        case endpoint
    }

    case secretBasic(Secret, BasicEncoding)
    case secretPost(Secret)
    /// The signer uses the client's secret.
    case secretJWT(JWTSigner, audience: AssertionAudience)
    case privateKeyJWT(JWTSigner, audience: AssertionAudience)
    /// The certificate of the connection (RFC 8705 §2), issued by an authority or self-signed.
    case mutualTLS(selfSigned: Bool)

    package var isMutualTLS: Bool {
        switch self {
        case .mutualTLS: true
        case .secretBasic, .secretPost, .secretJWT, .privateKeyJWT: false
        }
    }

    var isSigned: Bool {
        switch self {
        case .secretJWT, .privateKeyJWT: true
        case .secretBasic, .secretPost, .mutualTLS: false
        }
    }
}

extension ClientAuthentication.BasicEncoding {
    /// Returns the value of `Authorization: Basic` with a client's id and secret (RFC 7617, RFC 6749 §2.3.1). Returns
    /// nil for a raw id with a colon (`ClientAuthenticationError.colonInClientID`).
    package func authorization(_ clientID: String, _ secret: Secret) -> String? {
        let credentials: String
        switch self {
        case .formEncoded:
            credentials = "\(FormEncoding.encode(clientID)):\(FormEncoding.encode(secret.exposedText))"
        case .raw:
            guard !clientID.utf8.contains(UInt8(ascii: ":")) else { return nil }
            credentials = "\(clientID):\(secret.exposedText)"
        }
        return "Basic \(Base64.encode(Array(credentials.utf8)))"
    }
}

/// Why a request cannot be authenticated.
package enum ClientAuthenticationError: String, Error, CaseIterable, Sendable {
    /// In a raw `Basic`, a colon in the client id would look like the beginning of the secret (RFC 7617 §2).
    case colonInClientID
    case signing
    /// The provider names an endpoint for clients with a certificate, but our policy refuses it.
    case endpointAlias
}
