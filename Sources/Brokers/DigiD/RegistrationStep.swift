import OpenIDConnect

/// The two steps of OneWelcome's custom registration.
package enum RegistrationStep: String, CaseIterable, Sendable {
    case initiate = "init"
    case complete

    var purpose: ProviderRequest.Purpose {
        switch self {
        case .initiate: .start
        case .complete: .token
        }
    }
}
