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
}

/// The value of a setting once it has been checked.
package enum SettingValue: Equatable, Sendable {
    case text(String)
    case integer(Int)
    case boolean(Bool)
    case list([String])
    /// Texts by language.
    case names([String: String])
}

extension SettingValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral
{
    package init(stringLiteral text: String) { self = .text(text) }
    package init(integerLiteral number: Int) { self = .integer(number) }
    package init(booleanLiteral truth: Bool) { self = .boolean(truth) }
    package init(arrayLiteral items: String...) { self = .list(items) }
}
