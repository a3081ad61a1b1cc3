/// How DigiD is reached by way of one resolver, as configured.
import Base
import OpenIDConnect

package struct DigiDSettings: Sendable {
    package let id: String
    /// The name under which identities stand: of whoever gives out their subjects.
    package let issuer: String
    /// Where the two steps hang: `/init` and `/complete` are added.
    package let resolver: String
    package let clientID: String
    package let clientSecret: Secret
    package var basicEncoding = ClientAuthentication.BasicEncoding.formEncoded
    package var endpoints = EndpointPolicy()
    /// The link to which DigiD's app returns.
    package let returnURL: String
    /// What DigiD's app answers to.
    package var appLink = "https://app.digid.nl/digid-app"
    /// Names DigiD's own test host to its app. Nil in production, where the app must not be told any.
    package var testHost: String?
    /// What the person must at least show.
    package var level = DigiDLevel.midden
    /// Which member of the resolver's answer is the subject.
    package var subjectClaim = "profile_id"
    /// Nil where the resolver makes the requests itself.
    package var service: DigiDService?

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
