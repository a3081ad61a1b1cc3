import CSSL

/// Why a TLS handshake failed.
package enum HandshakeFailure: String, Sendable, CaseIterable {
    /// The client sent HTTP without TLS; we responded with 400.
    case plainHTTP = "plain_http"
    /// The version is older than TLS 1.2, or the bytes are not TLS at all.
    case version
    case cipher
    /// The client offers only protocols that we do not speak (ALPN).
    case applicationProtocol = "application_protocol"
    /// The client sent no certificate where one is required, or one that we do not trust.
    case clientCertificate = "client_certificate"
    /// The client refused us. It may not trust our certificate.
    case alert
    /// The client left during the handshake.
    case ended
    /// More handshakes were running than the server has memory for, and this was the oldest.
    case tooMany = "too_many"
    case other

    /// Takes OpenSSL's reason code.
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
        // OpenSSL adds this offset to the number of an alert that the peer has sent.
        case SSL_AD_REASON_OFFSET...: self = .alert
        default: self = .other
        }
    }
}
