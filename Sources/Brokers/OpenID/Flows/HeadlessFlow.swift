/// Swedish BankID without a browser (Idura's headless authentication): we start the order, the app opens BankID, we ask.
///
/// - The broker is told the address of the person's device (`end_user_ip`), as this server sees it.
/// - There is no `nonce`, no `state` and no code: the answer comes to whoever has the order, and that is only us.
/// - Every order is a fresh authentication, so there is nothing to ask for with `prompt`.
/// - Two pages of its documentation spell the grant type differently: it is a setting.
import Base
import OpenIDConnect

struct HeadlessFlow {
    private static let pause = 5000

    let endpoints: BrokerEndpoints

    func depart(for provider: Provider, _ visit: Visit) async throws(BrokerError) -> Departure {
        var parameters: Broker.Parameters = [
            Parameter("scope", provider.scope.joined(separator: " ")),
            Parameter("acr_values", provider.acrValues.joined(separator: " ")),
        ]
        if let address = visit.address { parameters.append(Parameter("end_user_ip", address)) }
        let endpoint = try self.endpoints.endpoint(self.endpoints.settings.issuer + "/headless/authorize")
        let response = try await self.endpoints.post(parameters, to: endpoint, .start)
        guard response.status == 200, response.refusal == nil else { throw BrokerError(poll: response) }
        guard let json = response.json, let id = json["headless_req_id"]?.string,
            let token = json["acr_data"]?["autoStartToken"]?.string, let seconds = json["expires_in"]?.wholeSeconds
        else { throw BrokerError(.unavailable, "headless_malformed") }
        // Android's BankID returns to whoever opened it; an iPhone's has to be told.
        let returnURL = visit.phone == .ios ? visit.returnURL : nil
        let target = BankIDLaunch.target(token, at: self.endpoints.settings.bankIDLink, returnURL: returnURL)
        return Departure(
            .app(target),
            trip: Trip(
                .headless, [.id: id], interval: self.endpoints.settings.pollInterval ?? Self.pause,
                until: self.endpoints.now() + .seconds(min(max(seconds, 1), 600))))
    }

    func progress(of trip: Trip) async throws(BrokerError) -> Progress {
        try await self.endpoints.poll([
            Parameter("grant_type", self.endpoints.settings.headlessGrantType),
            Parameter("headless_req_id", trip.details[.id] ?? ""),
        ])
    }
}
