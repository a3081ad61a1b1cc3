import Base
import OpenIDConnect

/// Calls one broker's endpoints, as configured, and reports failures in our words.
final class BrokerEndpoints: Sendable {
    let settings: BrokerSettings
    let directory: ProviderDirectory
    let now: @Sendable () -> Timestamp
    private let fetch: Fetch

    init(_ settings: BrokerSettings, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp) {
        self.settings = settings
        self.fetch = fetch
        self.now = now
        self.directory = ProviderDirectory(
            issuer: settings.issuer, policy: settings.endpoints, fetch: fetch, now: now,
            onUnusableKeys: settings.onUnusableKeys)
    }

    /// Our registration at the broker.
    var client: Client { self.settings.client }

    func metadata() async throws(BrokerError) -> ProviderMetadata {
        do throws(ProviderDirectoryError) { return try await self.directory.metadata() } catch {
            throw BrokerError(error)
        }
    }

    func send(_ request: ProviderRequest) async throws(BrokerError) -> ProviderResponse {
        let request = request.adding(self.settings.kind.fields(for: request.purpose))
        let response: ProviderResponse
        do throws(FetchError) { response = try await self.fetch(request) } catch {
            throw BrokerError(BrokerError.kind(of: error), .unanswered(request.purpose, error))
        }
        // An endpoint that is gone may have moved. The next login will find it; the code of this one is not sent again.
        if request.purpose.isOfMetadata { _ = self.directory.note(response) }
        return response
    }

    /// Checks the endpoints that not every provider of this broker uses.
    func checkEndpoints(usesUserInfo: Bool) async throws(BrokerError) {
        let metadata = try await self.metadata()
        if let refusal = self.client.refusedEndpoint(of: metadata, usesUserInfo: usesUserInfo) {
            throw BrokerError(ProviderDirectoryError.metadata(refusal))
        }
    }

    func judge<Value>(_ judge: () throws(TokenResponseError) -> Value) throws(BrokerError) -> Value {
        do throws(TokenResponseError) { return try judge() } catch { throw BrokerError(error) }
    }

    /// Reads a token response, once for all steps of this process.
    func tokens(in response: ProviderResponse) throws(BrokerError) -> BrokerAnswer {
        let tokens = try self.judge { () throws(TokenResponseError) in try TokenResponse.validate(response) }
        return BrokerAnswer(Secret(response.body), content: tokens)
    }

    /// Returns a URL from a response, if it belongs to the broker. A response cannot make us call another host.
    func endpoint(_ text: String) throws(BrokerError) -> EndpointURL {
        guard let issuer = EndpointURL(self.settings.issuer),
            let url = try? self.settings.endpoints.endpoint(text, of: issuer)
        else { throw BrokerError(.unavailable, .endpointRefused) }
        return url
    }

    /// Posts a form with our client authentication.
    func post(
        _ parameters: Broker.Parameters, to endpoint: EndpointURL, _ purpose: ProviderRequest.Purpose
    ) async throws(BrokerError) -> ProviderResponse {
        let metadata = try await self.metadata()
        let request: ProviderRequest
        do throws(ClientAuthenticationError) {
            request = try AuthenticatedForm(parameters: parameters, client: self.client)
                .request(purpose, to: endpoint, of: metadata, now: self.now())
        } catch {
            if purpose == .token { throw BrokerError(.unavailable, .tokenRequest(error)) }
            throw BrokerError(.unavailable, .authorizationRequest(AuthorizationRequestError(error)))
        }
        return try await self.send(request)
    }

    /// Polls the token endpoint for a response that may not be ready (CIBA Core 11).
    func poll(_ parameters: Broker.Parameters) async throws(BrokerError) -> BackchannelProgress {
        let response = try await self.post(parameters, to: try await self.metadata().tokenEndpoint, .token)
        switch response.refusal?.code {
        case "authorization_pending"?:
            return .pending(response.json?["acr_data"]?["hintCode"]?.string.flatMap { Hint(bankID: $0) })
        case "slow_down"?: return .slowDown
        case nil where response.status == 200:
            return .tokenResponse(try self.tokens(in: response))
        default: throw BrokerError(poll: response)
        }
    }
}
