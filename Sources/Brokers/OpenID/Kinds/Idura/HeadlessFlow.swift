import Base
import OpenIDConnect

/// Swedish BankID without a browser (Idura's headless authentication). We start the order, the app opens BankID, and we
/// poll.
///
/// - The broker gets the address of the user's device (`end_user_ip`), as this server sees it.
/// - There is no `nonce`, no `state` and no code. The order's id is enough to get the response, and only we know it.
/// - Every order is a fresh authentication, so there is no need for `prompt`.
/// - Two pages of its documentation spell the grant type differently, so it is a setting.
struct HeadlessFlow {
    private static let pause = 5000

    let endpoints: BrokerEndpoints

    private var idura: Idura { self.endpoints.settings.kind as? Idura ?? Idura() }

    func startAuthorization(for provider: Provider, _ context: AuthorizationContext) async throws(BrokerError)
        -> AuthorizationStart
    {
        var parameters: Broker.Parameters = [
            Parameter("scope", provider.scope.joined(separator: " ")),
            Parameter("acr_values", provider.acrValues.joined(separator: " ")),
        ]
        if let address = context.address { parameters.append(Parameter("end_user_ip", address)) }
        let endpoint = try self.endpoints.endpoint(self.endpoints.settings.issuer + "/headless/authorize")
        let response = try await self.endpoints.post(parameters, to: endpoint, .start)
        guard response.status == 200, response.refusal == nil else { throw BrokerError(poll: response) }
        guard let json = response.json, let id = json["headless_req_id"]?.string,
            let token = json["acr_data"]?["autoStartToken"]?.string, let seconds = json["expires_in"]?.wholeSeconds
        else { throw BrokerError(.unavailable, .headlessMalformed) }
        // Android's BankID returns to the app that opened it. On an iPhone it needs a URL.
        let returnURL = context.phone == .ios ? context.returnURL : nil
        let target = BankIDLaunch.target(token, at: self.idura.bankIDLink, returnURL: returnURL)
        return AuthorizationStart(
            .app(target),
            transaction: BackchannelTransaction(
                .headless, [.id: id], interval: self.endpoints.settings.pollInterval ?? Self.pause,
                until: self.endpoints.now() + .seconds(min(max(seconds, 1), 600))))
    }

    func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress {
        try await self.endpoints.poll([
            Parameter("grant_type", self.idura.grantType(of: .headless)),
            Parameter("headless_req_id", transaction.details[.id] ?? ""),
        ])
    }
}
