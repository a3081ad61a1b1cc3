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
