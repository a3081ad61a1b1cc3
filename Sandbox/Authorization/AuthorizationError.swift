/// Why a request gets no authorize page.
enum AuthorizationError: Error, CustomStringConvertible {
    /// Shown to the user and never sent to a redirect URI: we do not know that it is the client's (RFC 6749 §4.1.2.1).
    case page(OAuthErrorCode, String)
    /// Sent to the client.
    case answer(ReturnAddress, OAuthErrorCode, String)

    var description: String {
        switch self {
        case .page(_, let description), .answer(_, _, let description): description
        }
    }
}
