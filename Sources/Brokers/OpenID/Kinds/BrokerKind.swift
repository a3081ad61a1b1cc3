/// How a kind of broker differs from plain OpenID Connect: what it wants to know beforehand, and what its answer means.
///
/// Each kind is one file that says why. What is not said here is as the specifications have it.
import OpenIDConnect

package protocol BrokerKind: Sendable {
    /// Whether an app may set this authorize parameter to that, where its provider allows the name.
    func takes(_ parameter: (name: String, value: String)) -> Bool

    /// Authorize parameters beside those of the specifications.
    func parameters(for provider: Provider, _ visit: Visit) -> [(name: String, value: String)]

    /// More fields of our requests.
    func fields(for purpose: ProviderRequest.Purpose) -> [ProviderRequest.Field]

    /// What a browser or a link brought, with the broker's slips mended.
    func received(_ parameters: [(name: String, value: String)]) -> [(name: String, value: String)]

    /// Where the browser has to go on, if that is what a link to the app says.
    func resumeURL(in parameters: [(name: String, value: String)]) -> String?

    /// Where the identity's parts stand in its answers.
    var claimNames: ClaimNames { get }

    /// What an error means that its redirect brings.
    func failure(of error: OAuthError) -> BrokerFailure

    /// What must be true of its answers beside the rules of the specifications.
    func check(_ idToken: IDToken, for provider: Provider) throws(BrokerFailure)
}

extension BrokerKind {
    package func takes(_ parameter: (name: String, value: String)) -> Bool { true }

    package func parameters(for provider: Provider, _ visit: Visit) -> [(name: String, value: String)] { [] }

    package func fields(for purpose: ProviderRequest.Purpose) -> [ProviderRequest.Field] { [] }

    package func received(_ parameters: [(name: String, value: String)]) -> [(name: String, value: String)] {
        parameters
    }

    package func resumeURL(in parameters: [(name: String, value: String)]) -> String? { nil }

    package func failure(of error: OAuthError) -> BrokerFailure {
        BrokerFailure(error.code == "access_denied" ? .cancelled : .refused, error.code)
    }

    package var claimNames: ClaimNames { ClaimNames() }

    package func check(_ idToken: IDToken, for provider: Provider) throws(BrokerFailure) {}
}

/// `kind: oidc`: no difference.
package struct PlainOpenIDConnect: BrokerKind {
    package init() {}
}
