import SwitchbackClient

/// One of the logins of this process, as `logins` lists them.
public struct OpenLogin: Identifiable, Equatable, Sendable {
    /// Its id in the store. It means nothing elsewhere.
    public let id: SavedLogin.ID
    /// The id of its provider.
    public let provider: String
    /// The `persistentIdentifier` of its window's session. It may be one that is no more.
    public let windowName: String
    /// Whether another login has taken its place in the window. It goes on until it ends by itself, or `cancel(_:)`
    /// ends it.
    public let isReplaced: Bool
    /// What its window would show of it. At `over`, `login` is the result.
    public let progress: LoginProgress
}
