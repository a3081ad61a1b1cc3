// OpenSSL 3.0 (Debian's libssl-dev), and one inline function for each macro that Swift cannot import.
// Header only: this package has no C source.
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int switchback_SSL_CTX_set_proto_versions(SSL_CTX *context, int least, int most) {
    return SSL_CTX_set_min_proto_version(context, least) && SSL_CTX_set_max_proto_version(context, most);
}

static inline void switchback_SSL_CTX_set_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_mode(context, mode);
}

static inline void switchback_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    SSL_CTX_set_session_cache_mode(context, mode);
}

static inline int switchback_SSL_CTX_set1_groups_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_groups_list(context, list);
}

static inline int switchback_SSL_CTX_set1_sigalgs_list(SSL_CTX *context, const char *list) {
    return (int)SSL_CTX_set1_sigalgs_list(context, list);
}

static inline uint64_t switchback_SSL_OP_NO_RENEGOTIATION(void) { return SSL_OP_NO_RENEGOTIATION; }

static inline uint64_t switchback_SSL_OP_NO_COMPRESSION(void) { return SSL_OP_NO_COMPRESSION; }

// Uses our order of ciphers, but puts ChaCha20 first for a client that prefers it.
static inline void switchback_SSL_prefer_own_ciphers(SSL *ssl) {
    SSL_set_options(ssl, SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
}

static inline void switchback_SSL_CTX_set_servername_callback(
    SSL_CTX *context, int (*callback)(SSL *, int *, void *), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline int switchback_SSL_set_host_name(SSL *ssl, const char *name) {
    return (int)SSL_set_tlsext_host_name(ssl, name);
}

// SHA-256 whose state is in the caller's memory. OpenSSL 3 has no other way to do that. It marks these functions as
// deprecated, which gives no warning here, in a system header.
static inline int switchback_SHA256_Init(SHA256_CTX *state) { return SHA256_Init(state); }

static inline int switchback_SHA256_Update(SHA256_CTX *state, const void *bytes, size_t count) {
    return SHA256_Update(state, bytes, count);
}

static inline int switchback_SHA256_Final(SHA256_CTX *state, unsigned char *digest) {
    return SHA256_Final(digest, state);
}
