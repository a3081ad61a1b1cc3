import CSSL
import TestSupport

// Safe because it is used only on its client's queue.
/// libssl as a client. The test chooses what it offers, and it trusts every certificate.
final class ClientTLS: @unchecked Sendable {
    struct Offer: Sendable {
        var versions: ClosedRange<Int32> = TLS1_2_VERSION...TLS1_3_VERSION
        var host: String?
        var protocols: [String] = []
        /// For TLS 1.2.
        var ciphers: String?
        /// For TLS 1.3.
        var suites: String?
        var groups: String?
        var identity: MintedIdentity?
        var session: Session?

        static let tls12 = Offer(versions: TLS1_2_VERSION...TLS1_2_VERSION)
        static let tls13 = Offer(versions: TLS1_3_VERSION...TLS1_3_VERSION)
    }

    // Safe because OpenSSL counts its references, and no test uses one in two connections at once.
    /// What a client keeps from one connection for the next.
    final class Session: @unchecked Sendable {
        let pointer: OpaquePointer
        init(owning pointer: OpaquePointer) { self.pointer = pointer }
        deinit { SSL_SESSION_free(self.pointer) }

        var ticket: [UInt8] {
            var (start, count): (UnsafePointer<UInt8>?, Int) = (nil, 0)
            SSL_SESSION_get0_ticket(self.pointer, &start, &count)
            return Array(UnsafeBufferPointer(start: start, count: count))
        }
    }

    private let ssl: OpaquePointer
    private let incoming: OpaquePointer
    private let outgoing: OpaquePointer
    /// True once the server has sent close_notify.
    private(set) var isEnded = false
    private(set) var error = ""

    init(_ offer: Offer) throws {
        guard let context = SSL_CTX_new(TLS_client_method()), let incoming = BIO_new(BIO_s_mem()),
            let outgoing = BIO_new(BIO_s_mem())
        else { throw MintedIdentity.Failure() }
        defer { SSL_CTX_free(context) }
        // The client must refuse nothing, so that it is always the server that refuses.
        SSL_CTX_set_security_level(context, 0)
        _ = switchback_SSL_CTX_set_proto_versions(context, offer.versions.lowerBound, offer.versions.upperBound)
        SSL_CTX_set_cipher_list(context, offer.ciphers ?? "ALL:COMPLEMENTOFALL:@SECLEVEL=0")
        if let suites = offer.suites { SSL_CTX_set_ciphersuites(context, suites) }
        if let groups = offer.groups { _ = switchback_SSL_CTX_set1_groups_list(context, groups) }
        let protocols = offer.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !protocols.isEmpty { SSL_CTX_set_alpn_protos(context, protocols, UInt32(protocols.count)) }
        if let identity = offer.identity {
            let (certificate, key) = (
                try MintedIdentity.certificate(in: identity.certificate), try MintedIdentity.key(in: identity.key)
            )
            SSL_CTX_use_cert_and_key(context, certificate, key, nil, 1)
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        guard let ssl = SSL_new(context) else { throw MintedIdentity.Failure() }
        if let host = offer.host { _ = switchback_SSL_set_host_name(ssl, host) }
        if let session = offer.session { SSL_set_session(ssl, session.pointer) }
        SSL_set_bio(ssl, incoming, outgoing)
        SSL_set_connect_state(ssl)
        self.ssl = ssl
        self.incoming = incoming
        self.outgoing = outgoing
    }

    deinit {
        SSL_set_shutdown(self.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(self.ssl)
    }

    // MARK: - The connection

    /// Returns true when it is complete, and nil when it needs bytes from the server.
    func handshake() -> Bool? {
        ERR_clear_error()
        let result = SSL_do_handshake(self.ssl)
        if result == 1 { return true }
        if SSL_get_error(self.ssl, result) == SSL_ERROR_WANT_READ { return nil }
        self.error = Self.text(ERR_peek_last_error())
        return false
    }

    func seal(_ bytes: [UInt8]) -> [UInt8] {
        ERR_clear_error()
        var count = 0
        SSL_write_ex(self.ssl, bytes, bytes.count, &count)
        return self.takeOutgoing()
    }

    /// Returns the decrypted bytes that have come so far.
    func open() -> [UInt8] {
        var plain: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 * 1024)
        var count = 0
        while true {
            ERR_clear_error()
            let result = SSL_read_ex(self.ssl, &part, part.count, &count)
            guard result == 1 else {
                switch SSL_get_error(self.ssl, result) {
                case SSL_ERROR_WANT_READ: break
                case SSL_ERROR_ZERO_RETURN: self.isEnded = true
                default: self.error = Self.text(ERR_peek_last_error())
                }
                return plain
            }
            plain += part[..<count]
        }
    }

    func feed(_ bytes: [UInt8]) { BIO_write(self.incoming, bytes, Int32(bytes.count)) }

    func takeOutgoing() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(self.outgoing))
        guard !bytes.isEmpty else { return [] }
        BIO_read(self.outgoing, &bytes, Int32(bytes.count))
        return bytes
    }

    func end() -> [UInt8] {
        SSL_shutdown(self.ssl)
        return self.takeOutgoing()
    }

    /// Asks for new keys (RFC 8446 §4.6.3); in TLS 1.2, for a new handshake.
    func startOver() -> [UInt8] {
        if SSL_version(self.ssl) == TLS1_3_VERSION {
            SSL_key_update(self.ssl, SSL_KEY_UPDATE_REQUESTED)
        } else {
            SSL_renegotiate(self.ssl)
        }
        SSL_do_handshake(self.ssl)
        return self.takeOutgoing()
    }

    // MARK: - What was agreed

    var version: Int32 { SSL_version(self.ssl) }
    var cipher: String { String(cString: SSL_CIPHER_get_name(SSL_get_current_cipher(self.ssl))) }
    var isResumed: Bool { SSL_session_reused(self.ssl) == 1 }
    var session: Session? { SSL_get1_session(self.ssl).map { Session(owning: $0) } }

    var applicationProtocol: String {
        var (start, count): (UnsafePointer<UInt8>?, UInt32) = (nil, 0)
        SSL_get0_alpn_selected(self.ssl, &start, &count)
        return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
    }

    /// Whether the server's certificate is this one.
    func sees(_ identity: MintedIdentity) throws -> Bool {
        let expected = try MintedIdentity.certificate(in: identity.certificate)
        defer { X509_free(expected) }
        guard let seen = SSL_get1_peer_certificate(self.ssl) else { return false }
        defer { X509_free(seen) }
        return X509_cmp(seen, expected) == 0
    }

    private static func text(_ code: UInt) -> String {
        ERR_reason_error_string(code).map { String(cString: $0) } ?? "\(code)"
    }
}
