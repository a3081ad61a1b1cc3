/// What the resolver did against the configuration. It goes to the log, for the operator of both.
package enum ResolverNote: Equatable, Sendable {
    /// Its link leads to an app that is not listed. The host is nil if the link is no https URL.
    case linkElsewhere(host: String?)
    /// It made a token that outlives the login, which was dropped.
    case lastingToken
}
