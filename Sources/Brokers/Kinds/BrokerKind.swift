/// How a kind of broker differs from plain OpenID Connect: what it wants to know beforehand, and what its answer means.
///
/// Each kind is one file that says why. What is not said here is as the specifications have it.
import OpenIDConnect

package protocol BrokerKind: Sendable {
    /// Authorize parameters beside those of the specifications.
    func parameters(for provider: Provider, _ visit: Visit) -> [(name: String, value: String)]

    /// Where the identity's parts stand in its answers.
    var claimNames: ClaimNames { get }

    /// What must be true of its answers beside the rules of the specifications.
    func check(_ idToken: IDToken, for provider: Provider) throws(BrokerFailure)
}

extension BrokerKind {
    package func parameters(for provider: Provider, _ visit: Visit) -> [(name: String, value: String)] { [] }

    package var claimNames: ClaimNames { ClaimNames() }

    package func check(_ idToken: IDToken, for provider: Provider) throws(BrokerFailure) {}
}

/// `kind: oidc`: no difference.
package struct PlainOpenIDConnect: BrokerKind {
    package init() {}
}
