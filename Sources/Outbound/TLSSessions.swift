import Base
import CCurl

/// The TLS sessions of one client, which its new connections resume.
///
/// A request that must not be sent twice opens a new connection. Without this, each such connection would be a full
/// handshake, with certificates to send and signatures to make and to verify (RFC 8446 §2.2).
///
/// Safe because it is used only on the loop. It outlives the handles that use it.
final class TLSSessions: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    init() throws(OperatorError) {
        guard let raw = curl_share_init() else { throw OperatorError("no memory") }
        self.raw = raw
        guard switchback_curl_share(raw, CURL_LOCK_DATA_SSL_SESSION) == CURLSHE_OK else {
            throw OperatorError("libcurl cannot share TLS sessions")
        }
    }

    deinit { curl_share_cleanup(self.raw) }
}
