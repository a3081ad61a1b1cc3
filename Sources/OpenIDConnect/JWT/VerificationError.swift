/// Why something that a provider should have signed is not believed.
package enum VerificationError<Rule: Error & Equatable & Sendable>: Error, Equatable, Sendable {
    /// We could not get the provider's keys, for this reason. A retry may succeed.
    case keysUnavailable(ProviderDirectoryError)
    case rule(Rule)

    func map<Other>(_ other: (Rule) -> Other) -> VerificationError<Other> {
        switch self {
        case .keysUnavailable(let reason): .keysUnavailable(reason)
        case .rule(let rule): .rule(other(rule))
        }
    }
}
