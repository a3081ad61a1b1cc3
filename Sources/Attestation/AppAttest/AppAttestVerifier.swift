import Base
import Cryptography

/// Verifies attestations of App Attest, as Apple's "Validating apps that connect to your server" prescribes.
package struct AppAttestVerifier: Sendable {
    /// `1.2.840.113635.100.8.2`: the certificate's extension with the nonce.
    private static let nonceIdentifier = ObjectIdentifier("1.2.840.113635.100.8.2")
    /// The app's certificate and the authority below the root.
    private static let mostCertificates = 2

    private let roots: TrustedRoots
    private let apps: [[UInt8]]
    private let environments: Set<AppAttestEnvironment>

    /// `apps` are the team id, a dot and the bundle id, such as `1234567890.com.example.app`.
    package init(roots: TrustedRoots, apps: Set<String>, environments: Set<AppAttestEnvironment>) {
        self.roots = roots
        self.apps = apps.map { Digest.sha256.hash(Array($0.utf8)) }
        self.environments = environments
    }

    /// What the app passes to `attestKey`: SHA-256 of the challenge and the 32 bytes of the thumbprint. Returns nil
    /// unless the thumbprint is one (RFC 7638, in base64url).
    package static func clientDataHash(challenge: [UInt8], thumbprint: String) -> [UInt8]? {
        guard let bytes = Base64URL.decode(thumbprint), bytes.count == 32 else { return nil }
        return Digest.sha256.hash(challenge + bytes)
    }

    /// Verifies that a genuine app vouches for the DPoP key with this thumbprint. `keyID` is what `generateKey` gave
    /// the app, decoded.
    package func verify(
        _ object: [UInt8], keyID: [UInt8], challenge: [UInt8], thumbprint: String, at time: Timestamp
    ) -> Verdict {
        guard let hash = Self.clientDataHash(challenge: challenge, thumbprint: thumbprint) else {
            return .refused(.malformedThumbprint)
        }
        return self.verify(object, keyID: keyID, clientDataHash: hash, at: time)
    }

    package func verify(
        _ object: [UInt8], keyID: [UInt8], clientDataHash: [UInt8], at time: Timestamp
    ) -> Verdict {
        do throws(Refusal) {
            let object = try AttestationObject(parsing: object)
            let leaf = try self.leaf(of: object, at: time)
            guard let publicKey = leaf.p256Point else { throw .unsupportedKey }
            try self.checkNonce(of: leaf, Digest.sha256.hash(object.authenticatorData + clientDataHash))
            let data = try AuthenticatorData(parsing: object.authenticatorData)
            return .accepted(.app(try self.check(data, publicKey, keyID)))
        } catch {
            return .refused(error)
        }
    }

    private func leaf(of object: AttestationObject, at time: Timestamp) throws(Refusal) -> Certificate {
        let path = try CertificatePath(object.certificates, to: self.roots, most: Self.mostCertificates)
        guard path.certificates.count == Self.mostCertificates else { throw .wrongChainLength }
        try path.checkDates(of: path.certificates[...], at: time)
        return path.leaf
    }

    private func checkNonce(of leaf: Certificate, _ expected: [UInt8]) throws(Refusal) {
        guard let content = try leaf.value(of: Self.nonceIdentifier) else { throw .nonceMissing }
        var nonce: [UInt8] = []
        do throws(DERError) {
            // SEQUENCE { [1] EXPLICIT OCTET STRING }
            var outer = DERReader(content[...])
            var sequence = try outer.enter(.sequence)
            try outer.finish()
            var tagged = try sequence.enter(.explicit(1))
            try sequence.finish()
            nonce = try tagged.readOctets()
            try tagged.finish()
        } catch {
            throw .malformedNonce
        }
        guard nonce.count == expected.count else { throw .malformedNonce }
        guard equalInConstantTime(nonce, expected) else { throw .wrongNonce }
    }

    private func check(
        _ data: AuthenticatorData, _ publicKey: [UInt8], _ keyID: [UInt8]
    ) throws(Refusal) -> AppAttestEnvironment {
        guard self.apps.contains(data.rpIDHash) else { throw .wrongApp }
        guard data.counter == 0 else { throw .counterNotZero }
        guard let environment = AppAttestEnvironment.allCases.first(where: { $0.aaguid == data.aaguid }) else {
            throw .unknownEnvironment
        }
        guard self.environments.contains(environment) else { throw .wrongEnvironment }
        let identifier = Digest.sha256.hash(publicKey)
        guard data.credentialID == identifier else { throw .wrongCredentialID }
        guard data.publicKey == publicKey else { throw .wrongCredentialKey }
        guard keyID == identifier else { throw .wrongKeyID }
        return environment
    }
}
