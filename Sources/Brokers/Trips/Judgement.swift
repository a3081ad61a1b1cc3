/// What a broker's answer says that passed the rules.
import Base

package enum Judgement: Sendable {
    /// A code or an artifact, to be redeemed.
    case granted(code: Secret)
    case denied(BrokerError)
    /// The browser is back, and says nothing: the trip tells how it went.
    case landed

    /// Why it is a no, where it is.
    package var failure: BrokerError? {
        if case .denied(let failure) = self { failure } else { nil }
    }
}
