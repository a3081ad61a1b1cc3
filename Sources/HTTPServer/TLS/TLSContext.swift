import Base
import Cryptography
import CSSL

// Safe because no code changes it after `init`. OpenSSL locks the counters inside it.
/// How connections speak TLS: identities, client certificates, tickets and the policy. It never changes.
final class TLSContext: @unchecked Sendable {
    let identities: [TLSIdentity]
    let tickets: TicketKeys
    let pointer: OpaquePointer

    init(_ settings: TLSSettings, _ tickets: TicketKeys) throws(OperatorError) {
        guard let first = settings.identities.first else { throw OperatorError("TLS needs a certificate") }
        ERR_clear_error()
        defer { ERR_clear_error() }
        guard let pointer = SSL_CTX_new(TLS_server_method()) else { throw Self.refusal }
        self.identities = settings.identities
        self.tickets = tickets
        self.pointer = pointer
        guard self.setProtocol(), first.use(inContext: pointer), self.setClients(settings.clients) else {
            throw Self.refusal
        }
        self.setTickets()
        self.setCallbacks()
    }

    deinit { SSL_CTX_free(self.pointer) }

    /// In OpenSSL's words.
    private static var refusal: OperatorError {
        OperatorError("OpenSSL rejects the TLS settings: \(OpenSSL.lastError)")
    }

    private func setProtocol() -> Bool {
        SSL_CTX_set_security_level(self.pointer, TLSPolicy.securityLevel)
        SSL_CTX_set_options(
            self.pointer, switchback_SSL_OP_NO_RENEGOTIATION() | switchback_SSL_OP_NO_COMPRESSION())
        // An idle connection keeps no buffers for records.
        switchback_SSL_CTX_set_mode(self.pointer, Int(SSL_MODE_RELEASE_BUFFERS))
        return switchback_SSL_CTX_set_proto_versions(self.pointer, TLS1_2_VERSION, TLS1_3_VERSION) == 1
            && SSL_CTX_set_cipher_list(self.pointer, TLSPolicy.ciphers) == 1
            && SSL_CTX_set_ciphersuites(self.pointer, TLSPolicy.suites) == 1
            && switchback_SSL_CTX_set1_groups_list(self.pointer, TLSPolicy.groups) == 1
            && switchback_SSL_CTX_set1_sigalgs_list(self.pointer, TLSPolicy.signatures) == 1
    }

    /// Keeps sessions only in tickets, which the clients store.
    private func setTickets() {
        switchback_SSL_CTX_set_session_cache_mode(self.pointer, Int(SSL_SESS_CACHE_OFF))
        SSL_CTX_set_timeout(self.pointer, Int(TicketKeys.lifetime))
        SSL_CTX_set_num_tickets(self.pointer, 1)
    }

    private func setClients(_ clients: TLSClients) -> Bool {
        let (authorities, mode): ([Certificate], Int32) =
            switch clients {
            case .off: ([], SSL_VERIFY_NONE)
            case .optional(let authorities): (authorities.certificates, SSL_VERIFY_PEER)
            case .required(let authorities):
                (authorities.certificates, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT)
            }
        SSL_CTX_set_verify(self.pointer, mode, nil)
        for authority in authorities {
            guard X509_STORE_add_cert(SSL_CTX_get_cert_store(self.pointer), authority.pointer) == 1,
                SSL_CTX_add_client_CA(self.pointer, authority.pointer) == 1
            else { return false }
        }
        // A ticket proves that its client was admitted. It does not count where other clients are admitted now.
        let name = [UInt8(truncatingIfNeeded: mode)] + authorities.flatMap(\.digest)
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        return EVP_Digest(name, name.count, &digest, &count, EVP_sha256(), nil) == 1
            && SSL_CTX_set_session_id_context(self.pointer, digest, count) == 1
    }
}

/// OpenSSL's errors as text.
enum OpenSSL {
    /// OpenSSL's own words for its last error.
    static var lastError: String {
        let code = ERR_peek_last_error()
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// Which versions, ciphers and keys are strong enough.
///
/// We speak TLS 1.3, and TLS 1.2 with ephemeral keys and authenticated ciphers. In TLS 1.3 the client chooses the
/// cipher: all are strong, and a phone knows best which one its processor does fast. In TLS 1.2 we choose. A client
/// that puts ChaCha20 first gets it, because its processor has no AES.
enum TLSPolicy {
    /// 112 bits: RSA keys of at least 2048 bits, and no SHA-1.
    static let securityLevel: Int32 = 2
    static let ciphers = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:\
        ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:\
        ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """
    static let suites = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    static let groups = "X25519:P-256:P-384"
    static let signatures = """
        ECDSA+SHA256:ed25519:rsa_pss_rsae_sha256:RSA+SHA256:\
        ECDSA+SHA384:rsa_pss_rsae_sha384:RSA+SHA384:ECDSA+SHA512:rsa_pss_rsae_sha512:RSA+SHA512
        """
}
