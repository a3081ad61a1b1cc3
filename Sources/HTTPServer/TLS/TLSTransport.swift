import CSSL

/// Connects OpenSSL to a channel: OpenSSL reads the bytes of the network, and what it writes waits until it is sent.
enum TLSTransport {
    // Safe because it is made once and only read.
    nonisolated(unsafe) static let method: OpaquePointer? = {
        let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "connection")
        BIO_meth_set_create(method) { bio in
            BIO_set_init(bio, 1)
            return 1
        }
        BIO_meth_set_read_ex(method) { bio, bytes, size, count in
            BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
            let movedCount = TLSTransport.channel(bio)?.moveIncoming(to: bytes, size) ?? 0
            count?.pointee = movedCount
            // This is not the end: no more bytes have come yet.
            if movedCount == 0 { BIO_set_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY) }
            return movedCount > 0 ? 1 : 0
        }
        BIO_meth_set_write_ex(method) { bio, bytes, size, count in
            guard let channel = TLSTransport.channel(bio) else { return 0 }
            channel.outgoing.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size))
            count?.pointee = size
            return 1
        }
        BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
        return method
    }()

    private static func channel(_ bio: OpaquePointer?) -> TLSChannel? {
        BIO_get_data(bio).map { Unmanaged<TLSChannel>.fromOpaque($0).takeUnretainedValue() }
    }
}
