import Base
import Cryptography
import CSSL
import Glibc

/// The certificate for servers that ask us for one (RFC 8705), and its key, in two files.
///
/// libcurl reads the files again for every connection, so a certificate can be renewed while the server runs.
package struct ClientCertificate: Sendable {
    let certificateFile: String
    let keyFile: String
    /// When the certificate ends, in seconds since 1970.
    package let expiry: Int

    /// Reads and checks both files, because libcurl would report an error only when it connects. Throws what is wrong
    /// with one of them.
    package init(certificateFile: String, keyFile: String) throws(OperatorError) {
        for file in [certificateFile, keyFile] where access(file, R_OK) != 0 {
            throw OperatorError("cannot read \(file)")
        }
        // OpenSSL keeps its errors for the next caller.
        defer { ERR_clear_error() }
        guard let context = SSL_CTX_new(TLS_client_method()) else { throw OperatorError("no memory") }
        defer { SSL_CTX_free(context) }
        // Without this OpenSSL asks for the password of a key on the terminal, and waits.
        SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
        // The key comes first: OpenSSL silently drops a key when a certificate that does not match is loaded after it.
        guard SSL_CTX_use_PrivateKey_file(context, keyFile, SSL_FILETYPE_PEM) == 1 else {
            throw OperatorError("no private key without a password in \(keyFile)")
        }
        guard SSL_CTX_use_certificate_chain_file(context, certificateFile) == 1,
            let expiry = SSL_CTX_get0_certificate(context).flatMap(Certificate.end)
        else { throw OperatorError("no certificate in \(certificateFile)") }
        guard SSL_CTX_check_private_key(context) == 1 else {
            throw OperatorError("\(keyFile) is not the key of the certificate in \(certificateFile)")
        }
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.expiry = expiry
    }
}
