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
