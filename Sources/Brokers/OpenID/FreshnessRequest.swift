import OpenIDConnect
import StrictJSON

/// What asks a broker to say when the user authenticated, in the claim `auth_time`.
///
/// Core 2 requires that claim only of a provider that was asked for it, by `max_age` or by the parameter `claims`.
/// `prompt=login` asks for a new authentication and not for the claim, and many providers then leave it out. So
/// whatever `IDTokenRules` will check is requested here.
struct FreshnessRequest {
    /// In seconds.
    let maxAge: Int?
    /// The parameter `claims` (Core 5.5).
    let claims: JSON.Object?

    init(for provider: Provider, at settings: BrokerSettings, _ metadata: ProviderMetadata) {
        guard provider.demandsAuthTime, settings.kind.sendsAuthTimeOnRequest else {
            (self.maxAge, self.claims) = (provider.maxAge, provider.claimsRequest)
            return
        }
        guard metadata.claimsParameterSupported else {
            // `max_age=0` would also ask for the claim, but with it some providers ask the user for ever.
            (self.maxAge, self.claims) = (provider.maxAge ?? settings.loginLifetime, provider.claimsRequest)
            return
        }
        self.maxAge = provider.maxAge
        self.claims = provider.claimsRequest.map(Self.adding) ?? Self.authTimeAlone
    }

    private static let authTimeAlone: JSON.Object = ["id_token": ["auth_time": ["essential": true]]]

    /// Keeps what else the operator requests, also about this claim.
    private static func adding(to claims: JSON.Object) -> JSON.Object {
        var all = claims
        var idToken = claims["id_token"]?.object ?? [:]
        var authTime = idToken["auth_time"]?.object ?? [:]
        authTime["essential"] = true
        idToken["auth_time"] = .object(authTime)
        all["id_token"] = .object(idToken)
        return all
    }
}
