import StrictJSON

/// What goes wrong with DigiD: in what its app returns, or in what the resolver says.
struct DigiDFault: BrokerFault {
    /// Changes the JSON that the app returns.
    var answer: (@Sendable (inout JSON.Object) -> Void)?
    /// The artifact was resolved before.
    var isSpent = false
    /// The resolver resolves any artifact for any session.
    var isUnchecked = false
    /// The resolver names the session that it was asked for, whosever the artifact is.
    var isEcho = false
    /// The resolver opens a third party's app, and not DigiD's.
    var opensThirdParty = false
    /// Changes the response to the first step. It stays set until it is reset.
    var initiation: (@Sendable (inout JSONResponse) -> Void)?
    /// Changes the response to the second step.
    var completion: (@Sendable (inout JSONResponse) -> Void)?

    var place: String { self.completion == nil && self.initiation == nil ? "DigiD's app" : "Resolver" }
    var flows: Set<PageFlow> { self.initiation == nil ? [.appToApp] : [] }
    let scope = FaultScope.create
}
