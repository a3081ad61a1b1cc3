/// The two steps of a custom registration, as OneWelcome's resolver has them.
import OpenIDConnect

enum RegistrationStep: String, CaseIterable, Sendable {
    case initiate = "init"
    case complete

    var purpose: ProviderRequest.Purpose {
        switch self {
        case .initiate: .start
        case .complete: .token
        }
    }
}
