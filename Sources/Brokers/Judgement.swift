/// What a broker's answer says that passed the rules.
import Base

package enum Judgement: Sendable {
    /// A code or an artifact, to be redeemed.
    case granted(code: Secret)
    case denied(BrokerFailure)
    /// The browser is back, and says nothing: the trip tells how it went.
    case landed
}
