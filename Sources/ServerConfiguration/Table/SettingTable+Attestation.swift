// The settings of attestations, by which phones state that an app is genuine or that a key is in hardware.

import Attestation

extension SettingTable {
    static let attestation: [Setting<SettingValue>] = [
        Setting(
            "attestation.status_list", .file, .optional,
            "The file with Google's list of revoked attestation keys, from https://android.googleapis.com/attestation/status. Download it every few hours: a list older than a day is a warning, and one older than a week fails every Android phone of an app that requires attestation."
        ),
        Setting(
            "attestation.apple_roots", .list(.file), .optional,
            "Files with more roots of App Attest in PEM, besides Apple's root, which the server has."),
        Setting(
            "attestation.android_roots", .list(.file), .optional,
            "Files with more roots of Android key attestation in PEM, besides Google's roots, which the server has."),
    ]
}

extension SettingKind {
    /// Whether an app's sessions need an attestation.
    static let attestationRequirement = SettingKind.choice(AttestationRequirement.allCases.map(\.rawValue))
    static let appAttestEnvironment = SettingKind.choice(AppAttestEnvironment.allCases.map(\.rawValue))
}
