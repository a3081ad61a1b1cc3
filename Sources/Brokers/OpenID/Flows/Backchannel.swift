/// Signaturgruppen's "CIBA + PAR": a browser carries the person, but not the answer, which we ask for
/// (OpenID Connect CIBA Core 7 to 11, in its poll mode).
///
/// - What a browser request would say stands in `login_hint_token`, with `flow_type: broker_oidc`.
/// - A second call makes the address that the browser opens. The browser ends at our redirect URI with the `state`, which
///   nobody but that browser has seen: it proves who logged in where.
/// - The answer is given out once.
import Base
import OpenIDConnect
import StrictJSON

struct Backchannel {
    private static let usualPause = 5

    let broker: OpenIDBroker

    func depart(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit
    ) async throws(BrokerFailure) -> Departure {
        let started = try await self.start(provider, visit)
        guard let id = started["auth_req_id"]?.string, let seconds = started["expires_in"]?.wholeSeconds else {
            throw BrokerFailure(.unavailable, "ciba_malformed")
        }
        let pause = max(0, min(started["interval"]?.wholeSeconds ?? Self.usualPause, 60))
        let url = try await self.page(of: id, challenge)
        return Departure(
            .browser(url: url),
            trip: Trip(
                .backchannel, ["id": id], interval: self.broker.settings.pollInterval ?? max(pause * 1000, 250),
                until: self.broker.now() + .seconds(min(max(seconds, 1), 900))))
    }

    /// The same request once more: a second one would leave the first unanswered, in which the person may be approving.
    func departAgain(_ challenge: Challenge, _ trip: Trip) async throws(BrokerFailure) -> Departure {
        Departure(.browser(url: try await self.page(of: trip.details["id"] ?? "", challenge)), trip: trip)
    }

    func progress(of trip: Trip) async throws(BrokerFailure) -> Progress {
        try await self.broker.poll([
            ("grant_type", "urn:openid:params:grant-type:ciba"), ("auth_req_id", trip.details["id"] ?? ""),
        ])
    }

    func giveUp(_ trip: Trip) async {
        let path = "/api/v1/ciba/" + FormEncoding.encode(trip.details["id"] ?? "", space: .escaped)
        guard let endpoint = try? self.broker.endpoint(self.broker.settings.issuer + path) else { return }
        _ = try? await self.broker.ask(ProviderRequest(.cancel, .delete, endpoint, delivery: .idempotent, fields: []))
    }

    private func start(_ provider: Provider, _ visit: Visit) async throws(BrokerFailure) -> JSON {
        var hint: JSON.Object = ["flow_type": "broker_oidc"]
        for (name, value) in self.broker.settings.kind.parameters(for: provider, visit) { hint[name] = .string(value) }
        if let prompt = provider.prompt { hint["prompt"] = .string(prompt) }
        let parameters: Broker.Parameters = [
            ("scope", provider.scope.joined(separator: " ")),
            ("login_hint_token", String(decoding: JSON.object(hint).encoded(), as: UTF8.self)),
        ]
        let metadata = try await self.broker.metadata()
        let named = metadata.backchannelAuthenticationEndpoint
        let endpoint: EndpointURL
        if let named {
            endpoint = named
        } else {
            endpoint = try self.broker.endpoint(self.broker.settings.issuer + "/connect/ciba")
        }
        let response = try await self.broker.post(parameters, to: endpoint, .start)
        guard response.status == 200, response.refusal == nil else { throw BrokerFailure(poll: response) }
        guard let json = response.json else { throw BrokerFailure(.unavailable, "ciba_malformed") }
        return json
    }

    /// The address that the browser opens.
    private func page(of id: String, _ challenge: Challenge) async throws(BrokerFailure) -> String {
        let body: JSON = [
            "requestId": .string(id), "redirectUri": .string(self.broker.client.redirectURI),
            "state": .string(challenge.state),
        ]
        let endpoint = try self.broker.endpoint(self.broker.settings.issuer + "/api/ciba/broker-oidc/init-auth")
        let fields = [("Accept", "application/json"), ("Content-Type", "application/json")]
        let response = try await self.broker.ask(
            ProviderRequest(
                .start, .post, endpoint, delivery: .atMostOnce, fields: fields, body: body.encoded()))
        guard (200...201).contains(response.status), let url = response.json?["authentication_uri"]?.string else {
            let isDenial = ProviderResponse.isDenial(response.status)
            throw BrokerFailure(isDenial ? .refused : .unavailable, "ciba_init_auth_\(response.status)")
        }
        return try self.broker.endpoint(url).text
    }
}
