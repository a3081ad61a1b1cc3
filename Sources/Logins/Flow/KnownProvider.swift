/// A provider of a configuration, to be referred to: a `Provider` has dozens of texts and tables, and each copy counts them.
import Brokers

final class KnownProvider: Sendable {
    let provider: Provider

    init(_ provider: Provider) { self.provider = provider }

    /// True where the create itself makes the one opening, whose link is in its answer.
    var opensAtCreate: Bool { self.provider.authorize == .direct || self.provider.opensApp }
}
