import Logins

/// The flight recorder: what happened to each login.
package final class RecorderSettings: SettingGroup {
    package let keep = Setting<Duration>(
        "recorder.keep", .seconds(0...86_400), default: LoginSettings(publicURL: "").noteLifetime,
        "Seconds for which the store keeps what happened to a login, so that `switchback login` tells it by the login's reference; 86400 is a day, as long as a login's tombstone. 0 keeps nothing."
    )
    package let token = Setting<String?>(
        "recorder.token", optional: .text, secret: true,
        "The token with which operators read what happened to a login, at /logins of operations_listen, as `switchback login` does. Without it there is no such route. Set it with a variable or its file rather than here."
    )

    package static let declared = RecorderSettings()
}
