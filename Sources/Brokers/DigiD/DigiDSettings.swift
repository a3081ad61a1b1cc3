import Base
import OpenIDConnect

/// The configuration of DigiD with one resolver.
package struct DigiDSettings: Sendable {
    package let id: String
    /// The issuer in identities: the party that assigns their subjects.
    package let issuer: String
    /// The base URL of the two steps; `/init` and `/complete` are added to it.
    package let resolver: String
    package let clientID: String
    package let clientSecret: Secret
    package var basicEncoding = ClientAuthentication.BasicEncoding.formEncoded
    package var endpoints = EndpointPolicy()
    /// The link to which DigiD's app returns.
    package let returnURL: String
    /// The link that opens DigiD's app.
    package var appLink = "https://app.digid.nl/digid-app"
    /// The name of DigiD's test host, for its app. Nil in production, where the app must not get any.
    package var testHost: String?
    /// The minimum level.
    package var level = DigiDLevel.midden
    /// The member of the resolver's response that contains the subject.
    package var subjectClaim = "profile_id"
    /// Names the subject, if that member contains a national number. Nil otherwise.
    package var personKey: PersonKey?
    /// Nil if the resolver makes the requests itself.
    package var service: DigiDService?
    /// Nil if the resolver may open DigiD's app only.
    package var thirdPartyApps: ThirdPartyApps?
    /// Called with what the operator should know.
    package var onNote: @Sendable (ResolverNote) -> Void = { _ in }

    package init(
        id: String, issuer: String, resolver: String, clientID: String, clientSecret: Secret, returnURL: String
    ) {
        self.id = id
        self.issuer = issuer
        self.resolver = resolver
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.returnURL = returnURL
    }
}

/// What the resolver did against the configuration. It goes to the log, for the operator of both.
package enum ResolverNote: Equatable, Sendable {
    /// Its link leads to an app that is not listed. The host is nil if the link is no https URL.
    case linkElsewhere(host: String?)
    /// It made a token that outlives the login, which was dropped.
    case lastingToken
}
