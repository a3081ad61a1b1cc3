/// How we show the token endpoint that we are the client.
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
        case tokenEndpoint = "token_endpoint"
    }

    case secretBasic(Secret, BasicEncoding)
    case secretPost(Secret)
    case privateKeyJWT(JWTSigner, audience: AssertionAudience)

    /// As discovery names it (`token_endpoint_auth_methods_supported`).
    package var method: String {
        switch self {
        case .secretBasic: "client_secret_basic"
        case .secretPost: "client_secret_post"
        case .privateKeyJWT: "private_key_jwt"
        }
    }
}
