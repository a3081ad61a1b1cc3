/// One connection's TLS: bytes of the network in and out, plain bytes out and in. It has no socket and no time.
import CSSL

final class TLSChannel {
    enum Reading {
        /// So many plain bytes.
        case bytes(Int)
        /// All that came is used up.
        case needsBytes
        /// The client sends nothing more (close_notify, RFC 8446 §6.1).
        case ended
        /// It cannot go on. What says so to the client is in `outgoing`.
        case failed(HandshakeFailure)
    }

    /// What came and is not yet read. It belongs to the caller, who takes it back before it goes.
    private var incoming = UnsafeRawBufferPointer(start: nil, count: 0)
    /// What is to be sent.
    var outgoing: [UInt8] = []
    private(set) var isHandshaking = true
    /// A byte of the client has come.
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
        // A session that was not ended in order would count as not resumable.
        SSL_set_shutdown(self.ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(self.ssl)
    }

    /// Lets `body` read what came: `read` until it needs more.
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

    /// Appends `plain`, as the client is to get it, to `bytes`.
    func seal(_ plain: [UInt8], into bytes: inout [UInt8]) {
        guard !plain.isEmpty, !self.isBroken else { return }
        // Without a copy: OpenSSL writes to `outgoing`, which is empty between two calls.
        swap(&bytes, &self.outgoing)
        ERR_clear_error()
        var count = 0
        if SSL_write_ex(self.ssl, plain, plain.count, &count) != 1 { self.isBroken = true }
        swap(&bytes, &self.outgoing)
    }

    /// Says, once, that nothing more comes (close_notify).
    func end() {
        guard !self.isHandshaking, !self.isBroken, SSL_get_shutdown(self.ssl) & SSL_SENT_SHUTDOWN == 0 else { return }
        ERR_clear_error()
        SSL_shutdown(self.ssl)
    }

    /// For OpenSSL, through `TLSTransport`.
    func moveIncoming(to bytes: UnsafeMutablePointer<CChar>?, _ size: Int) -> Int {
        let count = min(size, self.incoming.count)
        guard count > 0, let bytes else { return 0 }
        let part = UnsafeRawBufferPointer(rebasing: self.incoming[..<count])
        UnsafeMutableRawBufferPointer(start: bytes, count: count).copyMemory(from: part)
        self.incoming = UnsafeRawBufferPointer(rebasing: self.incoming[count...])
        return count
    }
}
