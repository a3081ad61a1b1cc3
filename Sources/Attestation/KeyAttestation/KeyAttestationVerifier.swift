import Base
import Cryptography
import JOSE
import StrictJSON

/// Verifies Android key attestations, as Android's "Verify hardware-backed key pairs with key attestation" prescribes.
package struct KeyAttestationVerifier: Sendable {
    private static let mostCertificates = 4

    private let roots: TrustedRoots
    private let apps: [TrustedAndroidApp]
    private let isRequired: Bool
    private let statusList: StatusList?

    package init(
        roots: TrustedRoots, apps: [TrustedAndroidApp], requirement: AttestationRequirement, statusList: StatusList?
    ) {
        self.roots = roots
        self.apps = apps
        self.isRequired = requirement == .required
        self.statusList = statusList
    }

    /// Verifies that the DPoP key with this thumbprint (RFC 7638) is in secure hardware. The certificates are in DER,
    /// as `KeyStore.getCertificateChain` gives them.
    package func verify(
        _ certificates: [[UInt8]], challenge: [UInt8], thumbprint: String, at time: Timestamp
    ) -> Verdict {
        do throws(Refusal) {
            let path = try self.path(certificates, at: time)
            let warning = try self.checkStatus(of: path, at: time)
            let description = try KeyDescription(of: path.leaf)
            guard equalInConstantTime(description.challenge, challenge) else { throw .wrongChallenge }
            try Self.checkHardware(description)
            try self.checkApplication(description)
            try Self.checkKey(path.leaf, thumbprint)
            return .accepted(.key(min(description.attestationLevel, description.keyLevel), warning: warning))
        } catch {
            return .refused(error)
        }
    }

    // MARK: - Certificates

    private func path(_ certificates: [[UInt8]], at time: Timestamp) throws(Refusal) -> CertificatePath {
        let path = try CertificatePath(
            certificates, to: self.roots, most: Self.mostCertificates, leafIssuer: .any)
        // An app could otherwise sign a certificate with its attested key, and lengthen the chain by it.
        for issuer in path.certificates.dropFirst() where try issuer.value(of: KeyDescription.identifier) != nil {
            throw .keyDescriptionInIssuer
        }
        let method = ProvisioningMethod(path)
        guard path.certificates.count == method.certificateCount else { throw .wrongChainLength }
        // Until 2018 or so, factories wrote certificates that say they are no authorities.
        guard method == .factory || path.certificates[1].isAuthority else { throw .issuerNotAuthority }
        // The phone writes the dates of the first certificate, by a clock that its owner sets.
        try path.checkDates(of: path.certificates.dropFirst(), at: time, withExpiry: method == .remote)
        return path
    }

    private func checkStatus(of path: CertificatePath, at time: Timestamp) throws(Refusal) -> StatusWarning? {
        guard let list = self.statusList else {
            guard !self.isRequired else { throw .statusListMissing }
            return .missing
        }
        for certificate in path.certificates {
            switch list.status(of: certificate.serialNumber) {
            case .revoked: throw .revoked
            case .suspended: throw .suspended
            case nil: break
            }
        }
        switch list.age(at: time) {
        case .fresh: return nil
        case .old: return .old
        case .tooOld:
            guard !self.isRequired else { throw .statusListTooOld }
            return .tooOld
        }
    }

    // MARK: - The key description

    /// Only what secure hardware states counts. Software states whatever runs on the phone.
    private static func checkHardware(_ description: KeyDescription) throws(Refusal) {
        guard description.attestationLevel >= .trustedEnvironment else { throw .attestedBySoftware }
        guard description.keyLevel >= .trustedEnvironment else { throw .keyInSoftware }
        guard !description.hardware.isForAllApps, !description.software.isForAllApps else { throw .keyForAllApps }
        guard let origin = description.hardware.origin else { throw .originMissing }
        guard origin == AuthorizationList.generated else { throw .notGenerated }
        guard let root = description.hardware.rootOfTrust else { throw .rootOfTrustMissing }
        guard root.isLocked else { throw .deviceUnlocked }
        guard root.bootState == .verified else { throw .bootNotVerified }
    }

    /// Android names the app, and secure hardware copies it. Verified boot makes Android trustworthy.
    private func checkApplication(_ description: KeyDescription) throws(Refusal) {
        guard let bytes = description.software.application else { throw .applicationIDMissing }
        guard let application = AttestedApplication(parsing: bytes) else { throw .malformedApplicationID }
        guard !application.packages.isEmpty else { throw .wrongPackage }
        guard !application.signers.isEmpty else { throw .wrongSigner }
        // Packages that share a user id can all use the key, so each must be one of ours.
        for package in application.packages {
            let apps = self.apps.filter { identical($0.package, package) }
            guard !apps.isEmpty else { throw .wrongPackage }
            guard apps.contains(where: { $0.signers.isSuperset(of: application.signers) }) else { throw .wrongSigner }
        }
    }

    private static func checkKey(_ leaf: Certificate, _ thumbprint: String) throws(Refusal) {
        guard let point = leaf.p256Point else { throw .unsupportedKey }
        let members: JSON = [
            "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point[1..<33])),
            "y": .string(Base64URL.encode(point[33...])),
        ]
        guard let key = try? JWK(members) else { throw .unsupportedKey }
        guard equalInConstantTime(key.thumbprint, thumbprint) else { throw .wrongKey }
    }
}

/// How an Android phone got the key that signs its attestations.
enum ProvisioningMethod: Sendable {
    /// A factory put the key into the phone. The same key is in thousands of phones and stays for their life, so expiry
    /// does not count.
    case factory
    /// The phone fetches a new key every few weeks, so expiry counts.
    case remote

    /// Google's root issues factory certificates with a serialNumber in their names, and others without.
    init(_ path: CertificatePath) { self = path.topmost.subjectHasSerialNumber ? .factory : .remote }

    /// The certificates below the root, the attested one included.
    var certificateCount: Int {
        switch self {
        case .factory: 3
        case .remote: 4
        }
    }
}

/// An Android app that may log in: its package name and who may have signed it.
package struct TrustedAndroidApp: Hashable, Sendable {
    package let package: String
    /// SHA-256 of each certificate that the app may be signed with.
    package let signers: Set<[UInt8]>

    package init(package: String, signers: Set<[UInt8]>) {
        self.package = package
        self.signers = signers
    }
}
