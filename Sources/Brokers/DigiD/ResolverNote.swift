/// What the resolver did against the configuration. It goes to the log, for the operator of both.
package enum ResolverNote: Equatable, Sendable {
    /// It made a token that outlives the login, which was dropped.
    case lastingToken
}
