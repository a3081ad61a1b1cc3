/// Why a TLS handshake failed.
import CSSL

package enum HandshakeFailure: String, Sendable, CaseIterable {
    /// HTTP without TLS; the client has been told 400.
    case plainHTTP = "plain_http"
    /// An older version than TLS 1.2, or bytes that are no TLS at all.
    case version
    case cipher
    /// The client speaks protocols over TLS that we do not (ALPN).
    case applicationProtocol = "application_protocol"
    /// None where one is required, or one that is not believed.
    case clientCertificate = "client_certificate"
    /// The client refuses us: it does not believe our certificate, say.
    case alert
    /// The client left in the middle.
    case ended
    /// More handshakes were under way than the server has memory for, and this was the oldest.
    case tooMany = "too_many"
    case other

    /// OpenSSL's number of the reason.
    init(reason: Int32) {
        switch reason {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_VERSION_NUMBER, SSL_R_UNKNOWN_PROTOCOL, SSL_R_VERSION_TOO_LOW,
            SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
            self = .version
        case SSL_R_NO_SHARED_CIPHER, SSL_R_NO_SUITABLE_KEY_SHARE, SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM,
            SSL_R_NO_SHARED_GROUPS, SSL_R_NO_SHARED_SIGNATURE_ALGORITHMS, SSL_R_INAPPROPRIATE_FALLBACK:
            self = .cipher
        case SSL_R_NO_APPLICATION_PROTOCOL: self = .applicationProtocol
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE, SSL_R_CERTIFICATE_VERIFY_FAILED:
            self = .clientCertificate
        // OpenSSL adds this to the number of an alert that the peer has sent.
        case SSL_AD_REASON_OFFSET...: self = .alert
        default: self = .other
        }
    }
}
