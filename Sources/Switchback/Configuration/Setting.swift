/// One setting: where it stands, what it may be, and the sentence that explains it.
package struct Setting: Sendable {
    package enum Presence: Sendable {
        case required
        /// Without it there is no value.
        case optional
        /// What holds when nobody says otherwise.
        case value(SettingValue)
    }

    package let pattern: SettingPattern
    package let kind: SettingKind
    package let presence: Presence
    /// True when the value must never be shown.
    package let isSecret: Bool
    /// True when a reload does not change it.
    package let isReadAtStart: Bool
    /// One sentence; it stands above the setting in `Config/switchback.yaml`, word for word.
    package let explanation: String

    init(
        _ pattern: String, _ kind: SettingKind, _ presence: Presence, secret: Bool = false, atStart: Bool = false,
        _ explanation: String
    ) {
        self.pattern = SettingPattern(pattern)
        self.kind = kind
        self.presence = presence
        self.isSecret = secret
        self.isReadAtStart = atStart
        self.explanation = explanation
    }

    /// The table that everything else is made from: reading, checking, overriding and printing.
    package static let all =
        Self.server + Self.tls + Self.postgresql + Self.limits + Self.apps + Self.brokers + Self.digid + Self.namespaces
        + Self.providers
}
