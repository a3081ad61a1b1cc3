/// Stores one session, from which a restarted app goes on. Several users on one phone have a storage each.
///
/// Use `KeychainSessionStorage` on Apple's platforms, and `FileSessionStorage` elsewhere.
public protocol SessionStorage: Sendable {
    /// Returns the session; nil when none was ever saved. It throws when it cannot know, such as before the first unlock
    /// of the device. What it throws signs nobody out.
    func load() async throws -> SavedSession?

    /// Stores the session in place of the older one. Once this returns, a kill of the app loses nothing.
    func save(_ session: SavedSession) async throws
}
