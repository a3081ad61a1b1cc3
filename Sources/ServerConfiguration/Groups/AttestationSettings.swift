/// The settings of attestations, by which phones state that an app is genuine or that a key is in hardware.
package final class AttestationSettings: SettingGroup {
    package let statusList = Setting<String?>(
        "attestation.status_list", optional: .file,
        "The file with Google's list of revoked attestation keys, from https://android.googleapis.com/attestation/status. Download it every few hours: a list older than a day is a warning, and one older than a week fails every Android phone of an app that requires attestation."
    )
    package let appleRoots = Setting<[String]?>(
        "attestation.apple_roots", optional: .list(.file),
        "Files with more roots of App Attest in PEM, besides Apple's root, which the server has.")
    package let androidRoots = Setting<[String]?>(
        "attestation.android_roots", optional: .list(.file),
        "Files with more roots of Android key attestation in PEM, besides Google's roots, which the server has.")

    package static let declared = AttestationSettings()
}
