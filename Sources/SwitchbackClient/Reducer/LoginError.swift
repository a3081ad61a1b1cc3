/// Why nothing more comes of a login, as far as this app can tell.
public enum LoginError: Error, Hashable, Sendable {
    /// The store did not take it, so nothing was sent. Offer the button again.
    case notStored
    /// The server does not know it: it was made long ago, or the server has lost it. Offer the button again.
    case unknownLogin
    /// Its result was deleted, or kept for as long as was promised. Offer the button again.
    case gone
    /// The server refuses what the app asks for, and always will. Mend the app, or the server's configuration.
    case refused(Problem)
    /// The app called `giveUp`.
    case givenUp
}
