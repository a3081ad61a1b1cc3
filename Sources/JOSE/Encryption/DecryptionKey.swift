/// A key with which others encrypt to us.

package struct DecryptionKey: Sendable {
    enum Material: Sendable {
        case key(PrivateKey)
        /// Shared, for `dir`.
        case secret(Secret)
    }

    let material: Material
    package let keyID: String?

    package init(_ key: PrivateKey, keyID: String?) {
        self.material = .key(key)
        self.keyID = keyID
    }

    /// The bytes as they stand, which must be as many as the content encryption wants.
    package init(_ secret: Secret, keyID: String?) {
        self.material = .secret(secret)
        self.keyID = keyID
    }
}
