import Base
import Sessions

/// The settings of sessions, which apps may begin after a login. They fill `SessionRules`, which has the defaults.
package final class SessionSettings: SettingGroup {
    package let validFrom = Setting<Timestamp?>(
        "sessions.valid_from", optional: .time, fills: \SessionRules.validFrom,
        "Ends every session whose last e-ID login was before this time, as in 2026-11-22T14:00:00Z. Set it to the present time after you restore a backup, which brings ended sessions and used tries back."
    )
    package let accessTokenLifetime = Setting<Duration>(
        "sessions.access_token_lifetime", .seconds(300...600), fills: \SessionRules.accessTokenLifetime,
        "Seconds for which an access token is valid.")
    package let idle = Setting<Duration>(
        "sessions.idle", .seconds(10...86_400), fills: \SessionRules.idle,
        "Seconds without use after which a session of level unlock needs the user's PIN.")
    package let lifetime = Setting<Duration>(
        "sessions.lifetime", .seconds(600...31_536_000), fills: \SessionRules.lifetime,
        "Seconds from the last e-ID login of a session until it ends. The user then has to log in again.")
    package let attestedLifetime = Setting<Duration>(
        "sessions.attested_lifetime", .seconds(600...31_536_000), fills: \SessionRules.attestedLifetime,
        "The same for a session whose key the phone has attested.")
    package let pinTries = Setting<Int>(
        "sessions.pin_tries", .integer(1...10), fills: \SessionRules.pinTries,
        "How many wrong PINs in a row destroy the PIN. The user then has to log in with the e-ID again.")

    package static let declared = SessionSettings()
}

extension SessionRules: SettingsOwner {}

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
