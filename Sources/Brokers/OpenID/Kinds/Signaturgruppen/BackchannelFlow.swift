import Base
import OpenIDConnect
import StrictJSON

/// Signaturgruppen's "CIBA + PAR": the user goes through a browser, but we poll for the response
/// (OpenID Connect CIBA Core 7 to 11, in its poll mode).
///
/// - What a browser request would contain is in `login_hint_token`, with `flow_type: broker_oidc`.
/// - A second call returns the address that the browser opens. The browser ends at our redirect URI with the `state`,
///   which only that browser has seen: it proves who logged in where.
/// - The broker returns the response once.
struct BackchannelFlow {
    private static let usualPause = 5

    let endpoints: BrokerEndpoints

    func startAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext
    ) async throws(BrokerError) -> AuthorizationStart {
        let startResponse = try await self.start(provider, context)
        guard let id = startResponse["auth_req_id"]?.string, let seconds = startResponse["expires_in"]?.wholeSeconds
        else {
            throw BrokerError(.unavailable, .cibaMalformed)
        }
        let pause = max(0, min(startResponse["interval"]?.wholeSeconds ?? Self.usualPause, 60))
        let url = try await self.page(of: id, challenge)
        return AuthorizationStart(
            .browser(url: url),
            transaction: BackchannelTransaction(
                .backchannel, [.id: id], interval: self.endpoints.settings.pollInterval ?? max(pause * 1000, 250),
                until: self.endpoints.now() + .seconds(min(max(seconds, 1), 900))))
    }

    /// Continues the same request. A second one would abandon the first, which the user may be approving.
    func restartAuthorization(_ challenge: Challenge, _ transaction: BackchannelTransaction) async throws(BrokerError)
        -> AuthorizationStart
    {
        AuthorizationStart(
            .browser(url: try await self.page(of: transaction.details[.id] ?? "", challenge)), transaction: transaction)
    }

    func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress {
        try await self.endpoints.poll([
            Parameter("grant_type", self.endpoints.settings.kind.grantType(of: .ciba)),
            Parameter("auth_req_id", transaction.details[.id] ?? ""),
        ])
    }

    func abandon(_ transaction: BackchannelTransaction) async {
        let path = "/api/v1/ciba/" + FormEncoding.encode(transaction.details[.id] ?? "", as: .uri)
        guard let endpoint = try? self.endpoints.endpoint(self.endpoints.settings.issuer + path) else { return }
        let request = ProviderRequest(.cancel, .delete, endpoint, delivery: .idempotent, fields: [])
        _ = try? await self.endpoints.send(request)
    }

    private func start(_ provider: Provider, _ context: AuthorizationContext) async throws(BrokerError) -> JSON {
        var hint: JSON.Object = ["flow_type": "broker_oidc"]
        let kindParameters = self.endpoints.settings.kind.parameters(for: provider, context)
        for parameter in kindParameters { hint[parameter.name] = .string(parameter.value) }
        if let prompt = provider.prompt { hint["prompt"] = .string(prompt) }
        let parameters: Broker.Parameters = [
            Parameter("scope", provider.scope.joined(separator: " ")),
            Parameter("login_hint_token", String(decoding: JSON.object(hint).encoded(), as: UTF8.self)),
        ]
        let metadata = try await self.endpoints.metadata()
        let namedEndpoint = metadata.backchannelAuthenticationEndpoint
        let endpoint: EndpointURL
        if let namedEndpoint {
            endpoint = namedEndpoint
        } else {
            endpoint = try self.endpoints.endpoint(self.endpoints.settings.issuer + "/connect/ciba")
        }
        let response = try await self.endpoints.post(parameters, to: endpoint, .start)
        guard response.status == 200, response.refusal == nil else { throw BrokerError(poll: response) }
        guard let json = response.json else { throw BrokerError(.unavailable, .cibaMalformed) }
        return json
    }

    /// Returns the address that the browser opens.
    private func page(of id: String, _ challenge: Challenge) async throws(BrokerError) -> String {
        let body: JSON = [
            "requestId": .string(id), "redirectUri": .string(self.endpoints.client.redirectURI),
            "state": .string(challenge.state),
        ]
        let endpoint = try self.endpoints.endpoint(self.endpoints.settings.issuer + "/api/ciba/broker-oidc/init-auth")
        let fields = [Parameter("Accept", "application/json"), Parameter("Content-Type", "application/json")]
        let response = try await self.endpoints.send(
            ProviderRequest(
                .start, .post, endpoint, delivery: .atMostOnce, fields: fields, body: body.encoded()))
        guard (200...201).contains(response.status), let url = response.json?["authentication_uri"]?.string else {
            let isDenial = ProviderResponse.isDenial(response.status)
            throw BrokerError(isDenial ? .refused : .unavailable, .status(.cibaInitAuth, response.status))
        }
        return try self.endpoints.endpoint(url).text
    }
}
