import Base
import OpenIDConnect
import StrictJSON

/// DigiD by its app, with the artifact resolved in OneWelcome's two-step registration (`kind: digid`).
///
/// How it differs (sources: DigiD's documents for apps, the published source of its app, OneWelcome's documents):
/// - It speaks SAML and opens no browser: our app opens DigiD's app with JSON in base64 (`app-app`), and DigiD's app
///   opens ours in the same way. DigiD's app refuses a request that is more than a minute old, so the app must open it
///   at once (`AppTarget.expiresAt`).
/// - The response is an artifact for one use (`SAMLart`), or `ErrorMessage`. A failure may bring an artifact too.
/// - The response is not signed, and `RelayState` is null in some responses. Only the resolver can tell whose an
///   artifact is: it must name the request that DigiD answered (`InResponseTo`). We know the id of our own request, and
///   read it from a request of the resolver's. We never send it to the resolver, so no echo can name it.
/// - Errors have no `RelayState`, so anyone could have written them. They end no login.
/// - Resolving an artifact takes XML signatures and a certificate of the state. A resolver does that in two steps,
///   `init` and `complete`. It may make the request itself (`digidRequest`); otherwise we sign one.
/// - The resolver reports failures as HTTP 200 with a `status`. It writes both `sessionID` and `sessionId`.
/// - In demo mode DigiD's test app sends `demo` instead of an artifact.
/// - No permanent credential may be derived from a DigiD login, and we make none. The app gets the resolver's access
///   token in `registration`, so that it can continue there. A refresh token is dropped and logged.
/// - The resolver may open another party's app instead, if the configuration lists it (`ThirdPartyApps`). Such an app
///   returns with a plain parameter. The resolver then says beforehand which id the signed answer will name.
package final class DigiDBroker: Broker {
    /// The member of the resolver's response that no app gets.
    package static let lastingToken = RegistrationResponse.lasting

    /// Whether a member has this meaning, however its name is spelled.
    package static func isLastingToken(_ name: String) -> Bool { RegistrationResponse.isLasting(name) }

    package let id: String
    let settings: DigiDSettings
    let fetch: Fetch
    let now: @Sendable () -> Timestamp

    package init(_ settings: DigiDSettings, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp) {
        self.id = settings.id
        self.settings = settings
        self.fetch = fetch
        self.now = now
    }

    package var appRedirectURI: String? { self.settings.returnURL }

    package var respondsWithoutState: Bool { true }

    package var responseNames: Set<String> {
        ResponseParameters.names.union([self.settings.thirdPartyApps?.artifactParameter].compactMap(\.self))
    }

    /// Calls the resolver for one step. Nothing is retried, because an artifact is for one use.
    func take(
        _ step: BrokerError.ResolverStep, _ members: JSON.Object
    ) async throws(BrokerError) -> (answer: RegistrationResponse, body: [UInt8]) {
        let request = ProviderRequest(
            step.purpose, .post, try self.endpoint(step), delivery: .atMostOnce,
            fields: [
                Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json"),
                Parameter("Authorization", try self.authorization()),
            ],
            body: JSON.object(members).encoded())
        let response: ProviderResponse
        do throws(FetchError) { response = try await self.fetch(request) } catch {
            throw BrokerError(BrokerError.kind(of: error), .resolver(step, .unanswered(error)))
        }
        return (try RegistrationResponse(response, to: step), response.body)
    }

    private func endpoint(_ step: BrokerError.ResolverStep) throws(BrokerError) -> EndpointURL {
        let text = "\(self.settings.resolver)/\(step.rawValue)"
        guard let issuer = EndpointURL(self.settings.issuer),
            let url = try? self.settings.endpoints.endpoint(text, of: issuer)
        else { throw BrokerError(.unavailable, .resolver(step, .url)) }
        return url
    }

    private func authorization() throws(BrokerError) -> String {
        let (clientID, secret) = (self.settings.clientID, self.settings.clientSecret)
        guard let authorization = self.settings.basicEncoding.authorization(clientID, secret) else {
            throw BrokerError(.unavailable, .resolverRequest(.colonInClientID))
        }
        return authorization
    }
}

extension BrokerError.ResolverStep {
    fileprivate var purpose: ProviderRequest.Purpose {
        switch self {
        case .initiate: .start
        case .complete: .token
        }
    }
}
