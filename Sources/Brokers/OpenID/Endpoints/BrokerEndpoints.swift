/// Calls one broker's endpoints, as configured, and reports failures in our words.
import Base
import OpenIDConnect

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
            issuer: settings.issuer, policy: settings.endpoints, fetch: fetch, now: now)
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
        do throws(FetchError) { return try await self.fetch(request) } catch {
            throw BrokerError(error, asking: request.purpose.rawValue)
        }
    }

    func tokens(
        _ judge: () throws(TokenResponseError) -> TokenResponse
    ) throws(BrokerError) -> TokenResponse {
        do throws(TokenResponseError) { return try judge() } catch { throw BrokerError(error) }
    }

    /// Returns a URL from a response, if it belongs to the broker. A response cannot make us call another host.
    func endpoint(_ text: String) throws(BrokerError) -> EndpointURL {
        guard let issuer = EndpointURL(self.settings.issuer),
            let url = try? self.settings.endpoints.endpoint(text, of: issuer)
        else { throw BrokerError(.unavailable, "endpoint_refused") }
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
            throw BrokerError(.unavailable, "\(purpose.rawValue)_\(error.rawValue)")
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
            _ = try self.tokens { () throws(TokenResponseError) in try TokenResponse.validate(response) }
            return .tokenResponse(Secret(response.body))
        default: throw BrokerError(poll: response)
        }
    }
}
