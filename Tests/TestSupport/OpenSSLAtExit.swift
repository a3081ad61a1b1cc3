import CSSL

/// Keeps OpenSSL from being cleaned up at the end of the process, while threads of tests may still connect. A database
/// pool, for example, would then read freed memory.
private func keepOpenSSL() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
}

/// This runs before `main`: it must be the first call to OpenSSL.
@used
@section(".init_array")
let keepOpenSSLBeforeMain: @convention(c) () -> Void = keepOpenSSL
