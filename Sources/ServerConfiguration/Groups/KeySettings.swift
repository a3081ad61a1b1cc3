import Base
import KeyFiles

/// Which keys rotate themselves.
package final class KeySettings: SettingGroup {
    package let automatic = Setting<[KeyUse]>(
        "keys.automatic", .choices(), default: [], atStart: true,
        "The keys that the servers make and rotate by themselves, in the store: some of assertion, access and signing. The key in the file signs until the first automatic one is active, and whenever none can be used. Without it every key is a file, and an operator rotates it. Name signing only if every broker that verifies with it reads /client/jwks.json."
    )
    package let rotateEvery = Setting<Duration>(
        "keys.rotate_every", .seconds(300...31_536_000), default: .seconds(30 * 86_400),
        "Seconds for which an automatic key signs; 2592000 is 30 days.")
    package let publishFor = Setting<Duration>(
        "keys.publish_for", .seconds(60...604_800), default: .seconds(86_400),
        "Seconds for which an automatic key is published before it signs, at most a third of keys.rotate_every; 86400 is a day. Nobody may keep a key set for so long without reading it again."
    )
    package let trustedSince = Setting<Timestamp?>(
        "keys.trusted_since", optional: .time,
        "Automatic keys that were made before this time neither sign nor verify. Set it to the present time if somebody may have a copy of one, or when you replace the server key at once."
    )

    package static let declared = KeySettings()
}
