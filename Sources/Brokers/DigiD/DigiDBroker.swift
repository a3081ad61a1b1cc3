/// DigiD by its app, with the artifact resolved in a two-step registration as OneWelcome has it (`kind: digid`).
///
/// How it differs, from DigiD's documents for apps and the published source of its app, and from OneWelcome's documents:
/// - It speaks SAML. No browser is opened: our app opens DigiD's with a JSON in base64 (`app-app`), and DigiD's app opens
///   ours with another one. DigiD's app refuses a request that is more than a minute old, so it is to be opened at
///   once (`AppTarget.expiresAt`).
/// - The answer is an artifact for one use (`SAMLart`), or `ErrorMessage`. A failure may bring an artifact too.
/// - The answer is not signed, and `RelayState` is null in some answers. Whose an artifact is, only the resolver can tell: its
///   answer must name the session that it began for this login, or the request that DigiD answered (`InResponseTo`).
/// - Errors have no `RelayState`, so anybody could have written them: they end nothing.
/// - To resolve an artifact takes XML signatures and a certificate of the state's. A resolver does that, asked in two
///   steps, `init` and `complete`. It may make the request itself (`digidRequest`); else we sign one.
/// - The resolver's failures come as HTTP 200 with a `status`. It writes both `sessionID` and `sessionId`.
/// - In demo mode DigiD's test app says `demo` where the artifact should be.
/// - No credential that lives on may be derived from a DigiD login. We make none: `registration` is handed on as the
///   resolver gave it, for the app to go on with, and what the resolver puts there is its operator's to answer for.
import Base
import OpenIDConnect
import StrictJSON

package final class DigiDBroker: Broker {
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

    package var answersWithoutState: Bool { true }

    /// Takes a step. Nothing is tried twice: an artifact is for one use.
    func take(
        _ step: RegistrationStep, _ members: JSON.Object
    ) async throws(BrokerError) -> (answer: RegistrationAnswer, body: [UInt8]) {
        let request = ProviderRequest(
            step.purpose, .post, try self.endpoint(step), delivery: .atMostOnce,
            fields: [
                Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json"),
                Parameter("Authorization", try self.authorization()),
            ],
            body: JSON.object(members).encoded())
        let response: ProviderResponse
        do throws(FetchError) { response = try await self.fetch(request) } catch {
            throw BrokerError(error, asking: step.rawValue)
        }
        return (try RegistrationAnswer(response, to: step), response.body)
    }

    private func endpoint(_ step: RegistrationStep) throws(BrokerError) -> EndpointURL {
        let text = "\(self.settings.resolver)/\(step.rawValue)"
        guard let issuer = EndpointURL(self.settings.issuer),
            let url = try? self.settings.endpoints.endpoint(text, of: issuer)
        else { throw BrokerError(.unavailable, "\(step.rawValue)_url") }
        return url
    }

    private func authorization() throws(BrokerError) -> String {
        do throws(ClientAuthenticationError) {
            return try self.settings.basicEncoding.authorization(self.settings.clientID, self.settings.clientSecret)
        } catch {
            throw BrokerError(.unavailable, "resolver_request_\(error.rawValue)")
        }
    }
}
