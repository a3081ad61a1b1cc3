/// What the app continues with at the broker's resolver (DigiD).
///
/// It has no token that outlives the login. It prints as nothing, so that no token ends up in a log.
public struct Registration: Hashable, Sendable {
    /// The resolver's access token.
    public let accessToken: Secret?
    /// How to send it, as in `bearer`.
    public let tokenType: String?
    /// Seconds, counted from the resolver's response to the server. Later polls repeat the same number.
    public let expiresIn: Int?
    /// What the token is for.
    public let scope: String?
    /// Those of the resolver's members that the server is configured to pass on.
    public let data: [String: JSONValue]

    init?(_ json: JSONValue?) {
        guard case .object(let members)? = json else { return nil }
        self.accessToken = members["access_token"]?.string.map(Secret.init)
        self.tokenType = members["token_type"]?.string
        self.expiresIn = members["expires_in"]?.integer
        self.scope = members["scope"]?.string
        self.data = members["data"]?.object ?? [:]
    }
}

extension Registration: CustomStringConvertible, CustomReflectable {
    /// A placeholder: `data` may say something about the user.
    public var description: String { "‹registration›" }

    /// Nothing, as with `Secret`.
    public var customMirror: Mirror { Mirror(self, children: [(label: String?, value: Any)]()) }
}
