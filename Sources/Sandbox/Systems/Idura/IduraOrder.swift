/// What Idura has been asked for by an order, and so how it will be answered.
enum IduraOrder: Sendable {
    /// Ends in an authorization response, as JSON or as a redirect.
    case launchLinks(AuthorizationAsk, answersJSON: Bool)
    /// Ends at the token endpoint.
    case headless(scope: [String], QRStart)
}
