import Base
import OpenIDConnect

/// How a kind of broker differs from plain OpenID Connect: what it needs in requests, and what its responses mean.
///
/// Each kind is one file, with the reasons. The defaults are those of the specifications.
package protocol BrokerKind: Sendable {
    /// Returns whether an app may set this authorize parameter to this value, if its provider allows the name.
    func accepts(_ parameter: Parameter) -> Bool

    /// Returns authorize parameters in addition to those of the specifications.
    func parameters(for provider: Provider, _ context: AuthorizationContext) -> [Parameter]

    /// Returns additional header fields of our requests.
    func fields(for purpose: ProviderRequest.Purpose) -> [Parameter]

    /// Returns what a browser or a link delivered, with the broker's mistakes corrected.
    func normalized(_ parameters: [Parameter]) -> [Parameter]

    /// Returns where the browser has to continue, if a link to the app says that.
    func resumeURL(in parameters: [Parameter]) -> String?

    /// The names of the claims that make an identity.
    var claimNames: ClaimNames { get }

    /// Whether its ID tokens may lack `auth_time` unless the request asks for it (Core 2).
    var sendsAuthTimeOnRequest: Bool { get }

    /// Returns what an error in its redirect means.
    func failure(of error: OAuthError) -> BrokerError

    /// Checks what its responses must satisfy in addition to the specifications.
    func check(_ idToken: IDToken, for provider: Provider) throws(BrokerError)
}

extension BrokerKind {
    package func accepts(_ parameter: Parameter) -> Bool { true }

    package func parameters(for provider: Provider, _ context: AuthorizationContext) -> [Parameter] { [] }

    package func fields(for purpose: ProviderRequest.Purpose) -> [Parameter] { [] }

    package func normalized(_ parameters: [Parameter]) -> [Parameter] {
        parameters
    }

    package func resumeURL(in parameters: [Parameter]) -> String? { nil }

    package func failure(of error: OAuthError) -> BrokerError {
        BrokerError(Cancellation.isOne(error) ? .cancelled : .refused, .oauth(error.word))
    }

    package var claimNames: ClaimNames { ClaimNames() }

    package var sendsAuthTimeOnRequest: Bool { true }

    package func check(_ idToken: IDToken, for provider: Provider) throws(BrokerError) {}
}

/// `kind: oidc`: no differences.
package struct PlainOpenIDConnect: BrokerKind {
    package init() {}
}
