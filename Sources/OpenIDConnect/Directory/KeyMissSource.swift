/// Where a token came from whose key was not among ours, or whose signature is wrong.
package enum KeyMissSource: Equatable, Sendable {
    /// The provider sent it over TLS in response to our request, so no stranger can make one.
    case provider
    /// A browser delivered it. `state` has our MAC, and it may cause one fetch. All states share a budget that takes
    /// nothing from the provider's own tokens.
    case browser(state: String)
}
