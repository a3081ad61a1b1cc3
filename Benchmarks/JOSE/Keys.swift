import JOSE

/// The keys of a run, in the forms of JOSE and of libcrypto.
struct Keys {
    private let rsa: PrivateKey
    private let p256: PrivateKey

    init() throws {
        self.rsa = try .generate(.rsa(bits: 2048))
        self.p256 = try .generate(.p256)
    }

    func key(for algorithm: SignatureAlgorithm) -> PrivateKey {
        self.rsa.publicKey.fits(algorithm) ? self.rsa : self.p256
    }
}
