// What phones must attest before a session begins, and by what that is judged.

import Attestation
import Base

extension Configuration {
    package struct Attestation: Sendable {
        private let files: AttestationFiles

        package var appleRoots: TrustedRoots { self.files.appleRoots ?? .apple }
        package var androidRoots: TrustedRoots { self.files.androidRoots ?? .google }
        /// Google's list of revoked keys.
        package var statusList: StatusList? { self.files.statusList }

        init(_ files: AttestationFiles) { self.files = files }

        /// Returns nil if the app looks at no attestation.
        func policy(of app: App) -> AttestationPolicy? {
            let requirement = app.attestation
            guard requirement != .none else { return nil }
            let appAttest = AppAttestVerifier(
                roots: self.appleRoots, apps: Set(app.appleIDs), environments: Set(app.attestEnvironments))
            let keyAttestation = KeyAttestationVerifier(
                roots: self.androidRoots,
                apps: app.androidApps.map { configuredApp in
                    TrustedAndroidApp(
                        package: configuredApp.package,
                        signers: Set(configuredApp.fingerprints.compactMap(FingerprintText.digest)))
                },
                requirement: requirement, statusList: self.statusList)
            return AttestationPolicy(
                isRequired: requirement == .required, appAttest: appAttest, keyAttestation: keyAttestation)
        }
    }
}

/// Reads a digest as Digital Asset Links writes it: `14:6D:E9:…`.
private enum FingerprintText {
    static func digest(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { UInt8($0, radix: 16) }
        return bytes.count == parts.count && bytes.count == 32 ? bytes : nil
    }
}
