/// Why something that a provider should have signed is not believed.
package enum VerificationError<Rule: Error & Equatable & Sendable>: Error, Equatable, Sendable {
    /// We could not get the provider's keys, for this reason. A retry may succeed.
    case keysUnavailable(ProviderDirectoryError)
    /// The provider did not sign this JWT for us.
    case form(JWTFormatError)
    /// Its content breaks a rule.
    case rule(Rule)
}

extension VerificationError<Never> {
    /// The same error, where there are rules too.
    func among<Other>(_ rules: Other.Type) -> VerificationError<Other> {
        switch self {
        case .keysUnavailable(let reason): .keysUnavailable(reason)
        case .form(let error): .form(error)
        }
    }
}
