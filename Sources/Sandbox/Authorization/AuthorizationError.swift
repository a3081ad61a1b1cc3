/// Why there is no authorize page for a request.
enum AuthorizationError: Error, CustomStringConvertible {
    /// Told to the person, never to a redirect URI: we do not know that it is the client's (RFC 6749 §4.1.2.1).
    case page(OAuthErrorCode, String)
    /// Told to the client.
    case answer(ReturnAddress, OAuthErrorCode, String)

    var description: String {
        switch self {
        case .page(_, let description), .answer(_, _, let description): description
        }
    }
}
