/// What the client requested from Idura with an order, and so how the order ends.
enum IduraOrder: Sendable {
    /// Ends in an authorization response, as JSON or as a redirect.
    case launchLinks(SandboxAuthorizationRequest, answersJSON: Bool)
    /// Ends at the token endpoint.
    case headless(scope: [String], QRStart)

    /// Nil for a headless login, which has none.
    var state: String? {
        switch self {
        case .launchLinks(let authRequest, _): authRequest.address.state
        case .headless: nil
        }
    }
}
