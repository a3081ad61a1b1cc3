/// The store of saved logins, from which a killed app resumes them.
///
/// `FileSavedLoginStore` is one implementation; the Keychain is another good place.
public protocol SavedLoginStore: Sendable {
    /// Stores the login in place of an older one with the same id. Once this returns, a kill of the app loses nothing.
    func save(_ login: SavedLogin) async throws

    /// Removes the login. It is no error when there is none.
    func remove(_ id: SavedLogin.ID) async throws

    /// Returns all logins in any order, without those that cannot be read. Throws only when none can be read.
    func all() async throws -> [SavedLogin]
}
