import OpenIDConnect

/// What only one kind of broker reads of a provider.
package protocol ProviderOptions: Sendable {
    /// The settings of providers that it is made from.
    static var settings: [KindOption] { get }

    /// Creates the options of a provider that sets none of them.
    init()

    /// Creates the options from the checked settings of a provider.
    init(_ values: some OptionValues)
}

/// The options of a kind that has none.
package struct NoOptions: ProviderOptions {
    package static let settings: [KindOption] = []

    package init() {}

    package init(_ values: some OptionValues) {}
}

/// The checked settings of one broker or one provider, as its kind reads them. A setting without a value is nil.
package protocol OptionValues {
    /// The path of these settings, as in `providers.mitid`.
    var place: String { get }

    func text(_ name: String) -> String?
    func integer(_ name: String) -> Int?
    func boolean(_ name: String) -> Bool?
    func list(_ name: String) -> [String]?

    /// Returns true if somebody wrote the setting down, even a value that was refused.
    func isWritten(_ name: String) -> Bool
}

extension OptionValues {
    /// Returns true if the setting has a value or was written down.
    package func isGiven(_ name: String) -> Bool {
        self.isWritten(name) || self.text(name) != nil || self.integer(name) != nil || self.boolean(name) != nil
            || self.list(name) != nil
    }

    package func url(_ name: String) -> EndpointURL? { self.text(name).flatMap { EndpointURL($0) } }

    package func choice<Choice: RawRepresentable<String>>(_ name: String) -> Choice? {
        self.text(name).flatMap { Choice(rawValue: $0) }
    }
}
