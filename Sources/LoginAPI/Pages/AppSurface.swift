/// What pages and answers say of an app.
import Base

package struct AppSurface: Equatable, Sendable {
    /// Its name as people know it, by language.
    package let names: [String: String]
    /// How links that open it begin.
    package let returnPrefixes: [String]
    /// The providers that it has; nil where it has all of them.
    package var providers: Set<String>?
    /// What its own backend shows. Nil where it has none.
    package var key: Secret?
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
