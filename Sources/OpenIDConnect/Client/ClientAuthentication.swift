/// How we show the endpoints of a provider that we are the client.
import Base
import JOSE

package enum ClientAuthentication: Sendable {
    /// What happens to id and secret before they are joined for `Basic`.
    package enum BasicEncoding: String, CaseIterable, Sendable {
        /// RFC 6749 §2.3.1: each is form-encoded.
        case formEncoded = "form"
        /// As they are, which some providers want.
        case raw
    }

    /// The `aud` of a client assertion.
    package enum AssertionAudience: String, CaseIterable, Sendable {
        case issuer
        /// The token endpoint, whichever endpoint is called (Core 9).
        case tokenEndpoint = "token_endpoint"
        /// The endpoint that is called, which RFC 9126 §2 makes a provider accept and some accept alone.
        case endpoint
    }

    case secretBasic(Secret, BasicEncoding)
    case secretPost(Secret)
    /// The signer has the client's secret.
    case secretJWT(JWTSigner, audience: AssertionAudience)
    case privateKeyJWT(JWTSigner, audience: AssertionAudience)
    /// By the certificate of the connection (RFC 8705 §2): one from an authority, or one of our own.
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
    /// The value of `Authorization: Basic` with a client's id and secret (RFC 7617, RFC 6749 §2.3.1).
    package func authorization(
        _ clientID: String, _ secret: Secret
    ) throws(ClientAuthenticationError) -> String {
        let credentials: String
        switch self {
        case .formEncoded:
            credentials = "\(FormEncoding.encode(clientID)):\(FormEncoding.encode(secret.exposedText))"
        case .raw:
            guard !clientID.utf8.contains(UInt8(ascii: ":")) else { throw .colonInClientID }
            credentials = "\(clientID):\(secret.exposedText)"
        }
        return "Basic \(Base64.encode(Array(credentials.utf8)))"
    }
}

/// Why a request cannot be authenticated.
package enum ClientAuthenticationError: String, Error, CaseIterable, Sendable {
    /// A client id with a colon cannot be told from the secret in a raw `Basic` (RFC 7617 §2).
    case colonInClientID
    case signing
    /// The provider names an endpoint for clients with a certificate that we do not use.
    case endpointAlias
}
