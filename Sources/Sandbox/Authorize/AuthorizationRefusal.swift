/// Why there is no authorize page for a request.
enum AuthorizationRefusal: Error {
    /// Told to the person, never to a redirect URI: we do not know that it is the client's (RFC 6749 §4.1.2.1).
    case page(code: String, description: String)
    /// Told to the client.
    case answer(ReturnAddress, code: String, description: String)
}
