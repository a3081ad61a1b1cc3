import JOSE

/// A key of a provider's set that we cannot use, for the log.
package struct UnusableKey: Equatable, Sendable {
    /// Its `kid`, or its place in the set; the first is 1.
    package let name: String
    /// A word in snake_case.
    package let cause: String

    init(_ key: SkippedKey) {
        self.name = key.keyID ?? String(key.position)
        self.cause = key.error.word
    }
}
