import CSSL

/// The TLS of one connection: it turns bytes of the network into plain bytes and back. It has no socket and no clock.
final class TLSChannel {
    enum Reading {
        /// The number of plain bytes read.
        case bytes(Int)
        /// All received bytes are used up.
        case needsBytes
        /// The client will send nothing more (close_notify, RFC 8446 §6.1).
        case ended
        /// TLS cannot continue. `outgoing` contains the alert for the client.
        case failed(HandshakeFailure)
    }

    /// The received bytes that are not yet read. They belong to the caller and are valid only within `withIncoming`.
    private var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    /// The bytes to be sent.
    var outgoing: [UInt8] = []
    private(set) var isHandshaking = true
    /// True once the client has sent a byte.
    private(set) var hasBegun = false
    private(set) var isBroken = false
    private let context: TLSContext
    private let ssl: OpaquePointer

    init?(_ context: TLSContext) {
        ERR_clear_error()
        guard let ssl = SSL_new(context.pointer) else { return nil }
        self.context = context
        self.ssl = ssl
        guard let bio = BIO_new(TLSTransport.method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(self).toOpaque())
        SSL_set_bio(ssl, bio, bio)
        SSL_set_accept_state(ssl)
    }

    deinit {
        // OpenSSL would mark a session as not resumable if it was not shut down properly.
        SSL_set_shutdown(self.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(self.ssl)
    }

    /// Calls `body` with the received bytes at hand. `body` calls `read` until it needs more.
    func withIncoming(_ bytes: UnsafeRawBufferPointer, _ body: () -> Void) {
        self.incoming = bytes
        self.hasBegun = true
        body()
        self.incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        ERR_clear_error()
        var count = 0
        let result = SSL_read_ex(self.ssl, buffer.baseAddress, buffer.count, &count)
        if self.isHandshaking, SSL_is_init_finished(self.ssl) == 1 { self.isHandshaking = false }
        guard result != 1 else { return .bytes(count) }
        switch SSL_get_error(self.ssl, result) {
        case SSL_ERROR_WANT_READ: return .needsBytes
        case SSL_ERROR_ZERO_RETURN: return .ended
        default:
            self.isBroken = true
            let failure = HandshakeFailure(reason: ERR_GET_REASON(ERR_peek_last_error()))
            ERR_clear_error()
            return .failed(failure)
        }
    }

    /// Encrypts `plain` for the client and appends the result to `bytes`.
    func seal(_ plain: [UInt8], into bytes: inout [UInt8]) {
        guard !plain.isEmpty, !self.isBroken else { return }
        // Avoids a copy: OpenSSL writes to `outgoing`, which is empty between two calls.
        swap(&bytes, &self.outgoing)
        ERR_clear_error()
        var count = 0
        if SSL_write_ex(self.ssl, plain, plain.count, &count) != 1 { self.isBroken = true }
        swap(&bytes, &self.outgoing)
    }

    /// Tells the client, once, that nothing more comes (close_notify).
    func end() {
        guard !self.isHandshaking, !self.isBroken, SSL_get_shutdown(self.ssl) & SSL_SENT_SHUTDOWN == 0 else { return }
        ERR_clear_error()
        SSL_shutdown(self.ssl)
    }

    /// Copies received bytes to OpenSSL, which calls this through `TLSTransport`. Returns their number.
    func moveIncoming(to bytes: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        let count = min(size, self.incoming.count)
        guard count > 0, let bytes else { return 0 }
        let part = UnsafeRawBufferPointer(rebasing: self.incoming[..<count])
        UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(from: part)
        self.incoming = UnsafeRawBufferPointer(rebasing: self.incoming[count...])
        return count
    }
}
