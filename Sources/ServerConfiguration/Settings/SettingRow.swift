/// What the table says of one setting: its path, its kind and the text that explains it.
package struct SettingRow: Sendable {
    package enum Presence: Sendable {
        case required
        /// There is no value if it is not set.
        case optional
        /// The default.
        case value(SettingValue)
    }

    package let pattern: SettingPattern
    package let kind: SettingKind
    package let presence: Presence
    /// True when the value must never be shown.
    package let isSecret: Bool
    /// True when a reload does not change it.
    package let isReadAtStart: Bool
    /// One or two sentences. `Config/switchback.yaml` has them above the setting, word for word.
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

extension SettingRow {
    /// Returns why the setting, or an item of its list, cannot have this value: the end of a sentence. Nil if it can.
    package func problem(of text: String) -> String? {
        var kind = self.kind
        if case .list(let element) = kind { kind = element }
        do throws(ConfigurationError) {
            _ = try kind.value(of: .scalar(text), secret: self.isSecret)
            return nil
        } catch {
            return error.messages.first
        }
    }
}

/// The checked value of a setting.
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
