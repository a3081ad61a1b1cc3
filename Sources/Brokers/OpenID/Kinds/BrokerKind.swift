/// How a kind of broker differs from plain OpenID Connect: what it wants to know beforehand, and what its answer means.
///
/// Each kind is one file that says why. What is not said here is as the specifications have it.
import Base
import OpenIDConnect

package protocol BrokerKind: Sendable {
    /// Whether an app may set this authorize parameter to that, where its provider allows the name.
    func takes(_ parameter: Parameter) -> Bool

    /// Authorize parameters beside those of the specifications.
    func parameters(for provider: Provider, _ visit: Visit) -> [Parameter]

    /// More fields of our requests.
    func fields(for purpose: ProviderRequest.Purpose) -> [Parameter]

    /// What a browser or a link brought, with the broker's slips mended.
    func received(_ parameters: [Parameter]) -> [Parameter]

    /// Where the browser has to go on, if that is what a link to the app says.
    func resumeURL(in parameters: [Parameter]) -> String?

    /// Where the identity's parts stand in its answers.
    var claimNames: ClaimNames { get }

    /// What an error means that its redirect brings.
    func failure(of error: OAuthError) -> BrokerError

    /// What must be true of its answers beside the rules of the specifications.
    func check(_ idToken: IDToken, for provider: Provider) throws(BrokerError)
}

extension BrokerKind {
    package func takes(_ parameter: Parameter) -> Bool { true }

    package func parameters(for provider: Provider, _ visit: Visit) -> [Parameter] { [] }

    package func fields(for purpose: ProviderRequest.Purpose) -> [Parameter] { [] }

    package func received(_ parameters: [Parameter]) -> [Parameter] {
        parameters
    }

    package func resumeURL(in parameters: [Parameter]) -> String? { nil }

    package func failure(of error: OAuthError) -> BrokerError {
        BrokerError(error.code == "access_denied" ? .cancelled : .refused, error.code)
    }

    package var claimNames: ClaimNames { ClaimNames() }

    package func check(_ idToken: IDToken, for provider: Provider) throws(BrokerError) {}
}

/// `kind: oidc`: no difference.
package struct PlainOpenIDConnect: BrokerKind {
    package init() {}
}
