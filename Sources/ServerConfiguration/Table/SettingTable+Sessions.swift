// The settings of sessions, which apps may begin after a login.

import Sessions

extension SettingTable {
    static let sessions: [Setting] = [
        Setting(
            "sessions.valid_from", .time, .optional,
            "Ends every session whose last e-ID login was before this time, as in 2026-11-22T14:00:00Z. Set it to the present time after you restore a backup, which brings ended sessions and used tries back."
        ),
        Setting(
            "sessions.access_token_lifetime", .integer(300...600, .seconds), .value(300),
            "Seconds for which an access token is valid."),
        Setting(
            "sessions.idle", .integer(10...86_400, .seconds), .value(300),
            "Seconds without use after which a session of level unlock needs the user's PIN."),
        Setting(
            "sessions.lifetime", .integer(600...31_536_000, .seconds), .value(2_592_000),
            "Seconds from the last e-ID login of a session until it ends. The user then has to log in again."),
        Setting(
            "sessions.attested_lifetime", .integer(600...31_536_000, .seconds), .value(15_552_000),
            "The same for a session whose key the phone has attested."),
        Setting(
            "sessions.pin_tries", .integer(1...10, .none), .value(5),
            "How many wrong PINs in a row destroy the PIN. The user then has to log in with the e-ID again."),
    ]
}

extension SettingKind {
    /// What a login may become.
    static let sessionLevel = SettingKind.choice(SessionLevel.allCases.map(\.rawValue))
}
