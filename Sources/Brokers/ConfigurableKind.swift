/// A kind of broker as a configuration names it: its settings, the rules between them, and what operators read of it.
///
/// Everything about a kind is in its own folder. `KnownKind.all` lists the kinds.
package protocol ConfigurableKind: Sendable {
    /// What it reads of its providers.
    associatedtype Options: ProviderOptions = NoOptions

    /// What operators write as `brokers.*.kind`.
    static var name: String { get }

    /// What it is: continues the name in the explanation of `brokers.*.kind`.
    static var summary: String { get }

    /// The settings of brokers that only this kind reads.
    static var settings: [KindOption] { get }

    /// The flows that only this kind has.
    static var flows: [Provider.Flow] { get }

    /// Where the operator registers this server; nil if only the operator knows.
    static var portal: String? { get }

    /// Whether its client id and secret are form-encoded in `Authorization`, unless `basic_encoding` says otherwise.
    static var encodesCredentials: Bool { get }

    /// Returns what is wrong with a broker of this kind. `server` has the settings without a name, as `link_url`.
    static func problems(ofBroker broker: some OptionValues, in server: some OptionValues) -> [KindProblem]

    /// Returns what is wrong with a provider of this kind.
    static func problems(of provider: some OptionValues) -> [KindProblem]

    /// Returns what is wrong with a provider that has one of this kind's flows, whatever its broker's kind.
    static func problems(
        of provider: some OptionValues, with flow: Provider.Flow, at broker: (some OptionValues)?
    ) -> [KindProblem]
}

extension ConfigurableKind {
    package static var settings: [KindOption] { [] }

    package static var flows: [Provider.Flow] { [] }

    package static var portal: String? { nil }

    package static var encodesCredentials: Bool { true }

    package static func problems(
        ofBroker broker: some OptionValues, in server: some OptionValues
    ) -> [KindProblem] { [] }

    package static func problems(of provider: some OptionValues) -> [KindProblem] { [] }

    package static func problems(
        of provider: some OptionValues, with flow: Provider.Flow, at broker: (some OptionValues)?
    ) -> [KindProblem] { [] }

    /// The settings of providers that only this kind reads.
    package static var providerSettings: [KindOption] { Options.settings }

    /// Returns the provider's options, from its checked settings.
    package static func options(from values: some OptionValues) -> any ProviderOptions { Options(values) }

    /// Returns the options of a provider of this kind.
    static func options(of provider: Provider) -> Options { provider.options as? Options ?? Options() }
}
