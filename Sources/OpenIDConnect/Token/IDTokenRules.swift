/// What an ID token must fulfil to be the answer to our request (Core 3.1.3.7).
import Base
import JOSE

package struct IDTokenRules: Sendable {
    /// Verbatim, as configured and as discovery said it.
    package var issuer: String
    package var clientID: String
    /// Nil where none could be sent.
    package var nonce: String?
    /// What this provider may sign with; the token does not choose.
    package var algorithms: Set<SignatureAlgorithm>
    package var now: Timestamp
    /// That came with the ID token.
    package var accessToken: Secret?
    /// That was exchanged for it.
    package var code: Secret?
    /// There when it was agreed that the ID token is encrypted: one that is not is refused then, and one that is else.
    package var decrypter: Decrypter?
    /// Audiences that may stand beside us, if `azp` then says that the token is ours.
    package var trustedAudiences: Set<String> = []
    /// Where the authentication context class may stand; providers are known that call it otherwise than Core 2.
    package var acrClaims = ["acr"]
    /// That were asked for.
    package var acrValues: [String] = []
    /// One of `acrValues` must be what was done.
    package var acrMustMatch = false
    /// As asked for, in seconds.
    package var maxAge: Int?
    /// The moment of our request, if the person must have authenticated for it (`prompt=login`).
    package var freshSince: Timestamp?
    /// An ID token comes right after it was made; this is for an exchange that was taken up again.
    package var oldest: Duration = .seconds(600)
    /// How far the provider's clock may be off.
    package private(set) var leeway: Duration

    /// The leeway in seconds counts up to five minutes.
    package init(
        issuer: String, clientID: String, nonce: String?, algorithms: Set<SignatureAlgorithm>, leeway: Int = 60,
        now: Timestamp
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.nonce = nonce
        self.algorithms = algorithms
        self.leeway = JWTRules.leeway(leeway)
        self.now = now
    }
}

extension IDTokenRules: Unprinted {}
