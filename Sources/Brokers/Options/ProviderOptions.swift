/// What only one kind of broker reads of a provider.
package protocol ProviderOptions: Sendable {
    /// The settings of providers that it is made from.
    static var settings: [KindOption] { get }

    /// Creates the options of a provider that sets none of them.
    init()

    /// Creates the options from the checked settings of a provider.
    init(_ values: some SettingValues)
}

/// The options of a kind that has none.
package struct NoOptions: ProviderOptions {
    package static let settings: [KindOption] = []

    package init() {}

    package init(_ values: some SettingValues) {}
}

/// The checked settings of one broker or one provider, as its kind reads them. A setting without a value is nil.
package protocol SettingValues {
    /// The path of these settings, as in `providers.mitid`.
    var place: String { get }

    func text(_ name: String) -> String?
    func integer(_ name: String) -> Int?
    func boolean(_ name: String) -> Bool?
    func list(_ name: String) -> [String]?
}

extension SettingValues {
    package func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        self.text(name).flatMap { Choice(rawValue: $0) }
    }
}
