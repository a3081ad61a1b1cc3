import JOSE

/// What key sets have beside the keys in files: keys that change while the server runs.
package struct AutomaticKeySets: Sendable {
    package enum Name: Sendable {
        case assertion, access, client
    }

    /// For how many seconds readers may keep a set.
    package let lifetime: Int
    /// Nil if nobody knows the keys now.
    package let read: @Sendable (Name) async -> JWKSet?

    package init(lifetime: Int, read: @escaping @Sendable (Name) async -> JWKSet?) {
        self.lifetime = lifetime
        self.read = read
    }
}
