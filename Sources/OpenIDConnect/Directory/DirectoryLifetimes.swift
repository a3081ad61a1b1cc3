/// How long a provider's documents are believed, and how often it is asked for them.
package struct DirectoryLifetimes: Sendable {
    /// Used without asking again.
    package var fresh: Duration = .seconds(3600)
    /// Used when it cannot be had anew. Afterwards a withdrawn key would be believed for too long.
    package var lastGood: Duration = .seconds(24 * 3600)
    /// After a failure the provider is not asked again.
    package var afterFailure: Duration = .seconds(5)
    /// Between two fetches that an unknown `kid` caused. A caller waits for the next one, so it is well below the time that
    /// an exchange has (10 s): in a rotation nobody fails, and forged names cost the provider one request in this time.
    package var betweenMisses: Duration = .seconds(5)

    package init() {}
}
