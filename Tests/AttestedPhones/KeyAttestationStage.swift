import Attestation
import Base
import Cryptography
import JOSE
import StrictJSON

/// An Android phone with a key attestation and a server that verifies it. Tests change any part of both.
package struct KeyAttestationStage: Sendable {
    package static let identifier = "1.3.6.1.4.1.11129.2.1.17"
    package static let app = TrustedAndroidApp(package: "com.example.app", signers: [[UInt8](repeating: 3, count: 32)])

    private static let keys = Result { try (0..<4).map { _ in try TestKey() } }
    private static let rsaKey = Result { try TestKey(.rsa(bits: 2048)) }
    private static let p384Key = Result { try TestKey(.p384) }

    // The server's side.
    package var roots: [CertificatePlan]
    package var apps = [Self.app]
    package var requirement = AttestationRequirement.required
    package var statusList: String? = #"{"entries": {"ffff": {"status": "REVOKED"}}}"#
    /// Seconds between the writing of the list and the verification.
    package var statusAge = 3600
    package var expectedChallenge = [UInt8](repeating: 7, count: 32)
    /// The thumbprint of the DPoP key; nil for that of the attested key.
    package var thumbprint: String?
    package var time = Moment.now

    // The phone's side. The leaf is first, the root is not among them.
    package var chain: [CertificatePlan]
    package var root: CertificatePlan
    package var description = KeyDescriptionPlan()
    /// Whether the certificate has a key description, and how often.
    package var descriptionCount = 1
    /// Changes the certificates that are sent.
    package var sent: @Sendable ([[UInt8]]) -> [[UInt8]] = { $0 }

    /// A chain as of a phone whose key a factory put in, to Google's root with an RSA key.
    package static func factory() throws -> Self {
        let keys = try self.keys.get()
        var root = CertificatePlan([("serialNumber", "f92009e853b6b045")], key: try self.rsaKey.get(), serial: [1])
        var intermediate = CertificatePlan(
            [("serialNumber", "b701"), ("title", "TEE")], key: keys[0], by: root, serial: [0x0A, 0xBC])
        var attester = CertificatePlan(
            [("serialNumber", "5ee8"), ("title", "TEE")], key: keys[1], by: intermediate, serial: [0xDE, 0xF0])
        (root.extensions, intermediate.extensions, attester.extensions) = ([.authority], [.authority], [.authority])
        return try Self([attester, intermediate], root)
    }

    /// A chain as of a phone that fetches its keys, to Google's root of 2026 on P-384.
    package static func remote() throws -> Self {
        let keys = try self.keys.get()
        var root = CertificatePlan(
            [("CN", "Key Attestation CA1"), ("O", "Google LLC")], key: try self.p384Key.get(), serial: [2])
        root.digest = .sha384
        var plans: [CertificatePlan] = [root]
        for (index, name) in ["Droid CA2", "Droid CA3", "2c85cdc15c30"].enumerated() {
            var plan = CertificatePlan(
                [("O", index < 2 ? "Google LLC" : "TEE"), ("CN", name)], key: keys[index], by: plans.last,
                serial: [UInt8(16 + index)])
            plan.digest = index == 0 ? .sha384 : .sha256
            plans.append(plan)
        }
        for index in plans.indices { plans[index].extensions = [.authority] }
        return try Self(Array(plans.dropFirst().reversed()), plans[0])
    }

    private init(_ issuers: [CertificatePlan], _ root: CertificatePlan) throws {
        var leaf = CertificatePlan([("CN", "Android Keystore Key")], key: try TestKey(), by: issuers[0], serial: [1])
        // As real phones write them.
        (leaf.start, leaf.end) = (0, 2_461_449_600)
        self.chain = [leaf] + issuers
        self.root = root
        self.roots = [root]
    }

    /// Adds a key description to a certificate.
    package static func describe(_ plan: inout CertificatePlan, _ description: KeyDescriptionPlan) {
        plan.extensions.append(
            CertificatePlan.Extension(identifier: Self.identifier, content: description.encoded()))
    }

    package func attestation() throws -> [[UInt8]] {
        var chain = self.chain
        for _ in 0..<self.descriptionCount { Self.describe(&chain[0], self.description) }
        return self.sent(try (chain + [self.root]).map { try $0.der() })
    }

    package func verifier() throws -> KeyAttestationVerifier {
        let list = try self.statusList.map {
            try StatusList(parsing: Array($0.utf8), writtenAt: Timestamp(seconds: self.time - self.statusAge))
        }
        return KeyAttestationVerifier(
            roots: try TrustedRoots(pem: try self.roots.flatMap { try $0.pem() }), apps: self.apps,
            requirement: self.requirement, statusList: list)
    }

    package func verdict() throws -> Verdict {
        try self.verifier().verify(
            self.attestation(), challenge: self.expectedChallenge,
            thumbprint: self.thumbprint ?? Self.thumbprint(of: self.chain[0].key.point),
            at: Timestamp(seconds: self.time))
    }

    package static func thumbprint(of point: [UInt8]) throws -> String {
        let members: JSON = [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point[1..<33])),
            "y": .string(Base64URL.encode(point[33...])),
        ]
        return try JWK(members).thumbprint
    }
}
