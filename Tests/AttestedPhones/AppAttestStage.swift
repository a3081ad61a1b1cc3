import Attestation
import Base
import Cryptography

/// A phone with App Attest and a server that verifies what it states. Tests change any part of both.
package struct AppAttestStage: Sendable {
    package static let app = "1234567890.com.example.app"
    package static let nonceIdentifier = "1.2.840.113635.100.8.2"
    package static let rightNonce: @Sendable ([UInt8]) -> [UInt8]? = { DER.sequence(DER.tagged(1, DER.octets($0))) }

    private static let rootKey = Result { try TestKey(.p384) }
    private static let authorityKey = Result { try TestKey(.p384) }

    // The server's side.
    package var roots: CertificatePlan
    package var otherRoots: [CertificatePlan] = []
    package var apps: Set<String> = [Self.app]
    package var environments: Set<AppAttestEnvironment> = [.production]
    package var expectedChallenge = [UInt8](repeating: 7, count: 32)
    package var expectedThumbprint = Base64URL.encode([UInt8](repeating: 9, count: 32))
    /// What the app sends; nil for the right one.
    package var keyID: [UInt8]?
    package var time = Moment.now

    // The phone's side.
    package var challenge = [UInt8](repeating: 7, count: 32)
    package var thumbprint = Base64URL.encode([UInt8](repeating: 9, count: 32))
    package var root: CertificatePlan
    package var authority: CertificatePlan
    package var leaf: CertificatePlan
    /// Writes the nonce's extension. Nil leaves it out.
    package var nonce = Self.rightNonce
    package var data: AuthenticatorDataPlan
    package var format = "apple-appattest"
    /// Changes the certificates before they are put into the object.
    package var chain: @Sendable ([[UInt8]]) -> [[UInt8]] = { $0 }
    /// Changes the object before it is encoded.
    package var object: @Sendable (CBOR) -> CBOR = { $0 }
    /// Changes the encoded object.
    package var bytes: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    package init() throws {
        self.root = CertificatePlan([("CN", "App Attestation Root CA")], key: try Self.rootKey.get(), serial: [1])
        self.root.extensions = [.authority]
        self.root.digest = .sha384
        self.roots = self.root
        self.authority = CertificatePlan(
            [("CN", "App Attestation CA 1")], key: try Self.authorityKey.get(), by: self.root, serial: [2])
        self.authority.extensions = [.lastAuthority]
        self.authority.digest = .sha384
        self.leaf = CertificatePlan([("CN", "a key")], key: try TestKey(), by: self.authority, serial: [3])
        self.data = AuthenticatorDataPlan(app: Self.app, point: self.leaf.key.point)
    }

    package func attestation() throws -> [UInt8] {
        let data = self.data.bytes()
        let hash = AppAttestVerifier.clientDataHash(challenge: self.challenge, thumbprint: self.thumbprint) ?? []
        var leaf = self.leaf
        if let content = self.nonce(Digest.sha256.hash(data + hash)) {
            leaf.extensions.append(CertificatePlan.Extension(identifier: Self.nonceIdentifier, content: content))
        }
        let chain = self.chain([try leaf.der(), try self.authority.der()])
        let object = CBOR.map([
            CBOR.Pair(.text("fmt"), .text(self.format)),
            CBOR.Pair(
                .text("attStmt"),
                .map([
                    CBOR.Pair(.text("x5c"), .array(chain.map(CBOR.bytes))),
                    CBOR.Pair(.text("receipt"), .bytes([1, 2, 3])),
                ])),
            CBOR.Pair(.text("authData"), .bytes(data)),
        ])
        return self.bytes(self.object(object).encoded())
    }

    package func verifier() throws -> AppAttestVerifier {
        let pem = try ([self.roots] + self.otherRoots).flatMap { try $0.pem() }
        return AppAttestVerifier(
            roots: try TrustedRoots(pem: pem), apps: self.apps, environments: self.environments)
    }

    package func verdict() throws -> Verdict { try self.verdict(on: self.attestation()) }

    package func verdict(on object: [UInt8]) throws -> Verdict {
        try self.verifier().verify(
            object, keyID: self.keyID ?? Digest.sha256.hash(self.leaf.key.point), challenge: self.expectedChallenge,
            thumbprint: self.expectedThumbprint, at: Timestamp(seconds: self.time))
    }
}

/// Authenticator data that a test makes.
package struct AuthenticatorDataPlan: Sendable {
    package var app: String
    package var flags: UInt8 = 0x40
    package var counter: UInt8 = 0
    package var aaguid = Array("appattest".utf8) + [UInt8](repeating: 0, count: 7)
    package var credentialID: [UInt8]
    package var keyType = 2
    package var algorithm = -7
    package var curve = 1
    package var point: [UInt8]
    package var extensions: CBOR?
    /// Changes the whole.
    package var change: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    package init(app: String, point: [UInt8]) {
        self.app = app
        self.point = point
        self.credentialID = Digest.sha256.hash(point)
    }

    package func bytes() -> [UInt8] {
        let key = CBOR.map([
            CBOR.Pair(CBOR(1), CBOR(self.keyType)), CBOR.Pair(CBOR(3), CBOR(self.algorithm)),
            CBOR.Pair(CBOR(-1), CBOR(self.curve)), CBOR.Pair(CBOR(-2), .bytes(Array(self.point[1..<33]))),
            CBOR.Pair(CBOR(-3), .bytes(Array(self.point[33...]))),
        ])
        var bytes = Digest.sha256.hash(Array(self.app.utf8)) + [self.flags, 0, 0, 0, self.counter] + self.aaguid
        bytes += [UInt8(self.credentialID.count >> 8), UInt8(self.credentialID.count & 0xFF)] + self.credentialID
        return self.change(bytes + key.encoded() + (self.extensions?.encoded() ?? []))
    }
}
