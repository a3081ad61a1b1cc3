/// Keeps OpenSSL from being taken down at the end of the process, while threads of tests may still connect somewhere: a pool
/// that looks for its database, say, which then reads what is not there any more.
import CSSL

private func keepOpenSSL() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
}

/// Before `main`: it counts only if it is the first thing that OpenSSL is asked.
@used
@section(".init_array")
let keepOpenSSLBeforeMain: @convention(c) () -> Void = keepOpenSSL
