import Base
import OpenIDConnect

/// How a kind of broker differs from plain OpenID Connect: what it needs in requests, and what its responses mean.
///
/// Each kind has its own folder, with the reasons. The defaults are those of the specifications.
package protocol BrokerKind: ConfigurableKind {
    /// Creates the kind from the checked settings of a broker.
    init(_ values: some OptionValues)

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

    /// Which responses must name the issuer, if the broker's metadata promises that they do (RFC 9207).
    var promisedIssuer: IssuerPolicy { get }

    /// Returns the grant type of a flow.
    func grantType(of flow: Provider.Flow) -> String

    /// Returns what the broker calls the link by which an e-ID's app returns to an app; nil if it takes none.
    /// `redirectsToApp` says whether the redirect URI opens the app itself.
    func returnLink(redirectsToApp: Bool) -> ReturnLink?
}

/// The link by which an e-ID's app returns to an app, as a broker knows it.
package struct ReturnLink: Equatable, Sendable {
    /// What the broker calls it.
    package let name: String
    /// Whether the broker refuses one that it does not know.
    package let needsEntry: Bool
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

    package var promisedIssuer: IssuerPolicy { .promised }

    package func grantType(of flow: Provider.Flow) -> String { "authorization_code" }

    package func returnLink(redirectsToApp: Bool) -> ReturnLink? { nil }
}

/// `kind: oidc`: no differences.
package struct PlainOpenIDConnect: BrokerKind {
    package static let name = "oidc"
    package static let summary = "any OpenID provider"

    package init() {}

    package init(_ values: some OptionValues) {}
}

/// A broker's names for the parts of an identity; the default is OpenID Connect's (Core 5.1).
package struct ClaimNames: Equatable, Sendable {
    package var name = "name"
    package var givenName = "given_name"
    package var familyName = "family_name"
    package var birthDate = "birthdate"
    package var country = "country"
    /// The claims of the ID token that may contain the requested level. The first one that is present counts.
    package var contextClasses = ["acr"]
    /// The claim with the level of assurance, if it is none of those.
    package var assurance: String?

    package init() {}
}

/// How providers say that the user cancelled.
enum Cancellation {
    /// - `access_denied`: RFC 6749 §4.1.2.1. Azure AD B2C sends it too; `AADB2C90091` is only in its description.
    /// - `user_cancelled_authorize`: Sign in with Apple, and LinkedIn when the member refuses the permissions.
    /// - `user_cancelled_login`: LinkedIn, when the member does not log in.
    private static let codes: Set<String> = ["access_denied", "user_cancelled_authorize", "user_cancelled_login"]

    static func isOne(_ error: OAuthError) -> Bool { self.codes.contains(error.code) }
}
