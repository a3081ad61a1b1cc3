/// A token that was encrypted to us, and what was inside. Only `Decrypter` makes one.

/// That it could be decrypted does not say who encrypted it: a public key is known to all.
package struct DecryptedJWE: Sendable {
    package let header: JOSEHeader
    package let plaintext: Secret

    init(header: JOSEHeader, plaintext: Secret) {
        self.header = header
        self.plaintext = plaintext
    }
}
