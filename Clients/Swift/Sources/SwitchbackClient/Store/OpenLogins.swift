/// Where open logins are kept, so that an app that was killed goes on where it was.

/// `FileOpenLogins` is one; the Keychain is another good place.
public protocol OpenLogins: Sendable {
    /// Keeps it, in place of an older one with the same id. When this returns, a kill of the app loses nothing.
    func save(_ login: OpenLogin) async throws

    /// Forgets it. One that is not there is no error.
    func remove(_ id: OpenLogin.ID) async throws

    /// All of them. One that cannot be read is left out, and must not hide the others; an error when none can be.
    func all() async throws -> [OpenLogin]
}
