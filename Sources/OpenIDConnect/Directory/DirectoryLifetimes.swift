/// How long a provider's documents are believed, and how often it is asked for them.
package struct DirectoryLifetimes: Sendable {
    /// Used without asking again.
    package var fresh: Duration = .seconds(3600)
    /// Used when it cannot be had anew. Afterwards a withdrawn key would be believed for too long.
    package var lastGood: Duration = .seconds(24 * 3600)
    /// After a failure the provider is not asked again.
    package var afterFailure: Duration = .seconds(5)
    /// Between two fetches that an unknown `kid` caused.
    package var betweenMisses: Duration = .seconds(30)

    package init() {}
}
