import Base

/// What pages and responses say about an app.
package struct AppProfile: Equatable, Sendable {
    /// The name that users know, by language.
    package let names: [String: String]
    /// The prefixes of links that open it.
    package let returnPrefixes: [String]
    /// Its providers; nil if it has all of them.
    package var providers: Set<String>?
    /// The key that its own backend sends; nil if it has none.
    package var key: Secret?
    package var look = AppLook()
    /// Whether a request that names no app means this one.
    package var isDefault = false

    package init(
        names: [String: String], returnPrefixes: [String], providers: Set<String>? = nil, key: Secret? = nil
    ) {
        self.key = key
        self.providers = providers
        self.names = names
        self.returnPrefixes = returnPrefixes
    }
}
