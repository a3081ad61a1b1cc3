/// What goes wrong with DigiD: in what its app brings back, or in what the resolver says.
import StrictJSON

struct DigiDFault: Sendable {
    /// Of the JSON that the app gives back.
    var answer: (@Sendable (inout JSON.Object) -> Void)?
    /// Somebody has resolved the artifact already.
    var isSpent = false
    /// The resolver resolves anybody's artifact for any session.
    var isUnchecked = false
    /// Of the answer to the first step. It stands until it is taken back.
    var initiation: (@Sendable (inout JSONAnswer) -> Void)?
    /// Of the answer to the second.
    var completion: (@Sendable (inout JSONAnswer) -> Void)?
}
