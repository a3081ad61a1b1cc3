/// What the client requested from Idura with an order, and so how the order ends.
enum IduraOrder: Sendable {
    /// Ends in an authorization response, as JSON or as a redirect.
    case launchLinks(SandboxAuthorizationRequest, answersJSON: Bool)
    /// Ends at the token endpoint.
    case headless(scope: [String], QRStart)
}
