/// Logins that a browser does not end: started by us, asked about by us.
import Base
import OpenIDConnect

extension OpenIDBroker {
    package func depart(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit
    ) async throws(BrokerFailure) -> Departure {
        switch provider.flow {
        // A broker of its own goes that one.
        case .artifact:
            throw BrokerFailure(.unavailable, "flow")
        case .browser:
            return Departure(.browser(url: try await self.authorizationURL(for: provider, challenge, visit)))
        case .launchLinks:
            let url = try await self.authorizationURL(for: provider, challenge, visit)
            return try await LaunchLinks(broker: self).depart(from: url)
        case .headless:
            return try await Headless(broker: self).depart(for: provider, visit)
        case .ciba:
            return try await Backchannel(broker: self).depart(for: provider, challenge, visit)
        }
    }

    package func departAgain(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit, _ trip: Trip?
    ) async throws(BrokerFailure) -> Departure {
        guard let trip, trip.kind == .backchannel else { return try await self.depart(for: provider, challenge, visit) }
        return try await Backchannel(broker: self).departAgain(challenge, trip)
    }

    package func progress(of trip: Trip) async throws(BrokerFailure) -> Progress {
        switch trip.kind {
        case .launchLinks: try await LaunchLinks(broker: self).progress(of: trip)
        case .headless: try await Headless(broker: self).progress(of: trip)
        case .backchannel: try await Backchannel(broker: self).progress(of: trip)
        case .artifact: .pending(nil)
        }
    }

    package func giveUp(_ trip: Trip) async {
        switch trip.kind {
        case .launchLinks: await LaunchLinks(broker: self).giveUp(trip)
        case .backchannel: await Backchannel(broker: self).giveUp(trip)
        case .headless, .artifact: break
        }
    }
}

// MARK: - What the flows have in common

extension OpenIDBroker {
    /// A URL that came in an answer, if it is the broker's: nobody may make us call somebody else.
    func endpoint(_ text: String) throws(BrokerFailure) -> EndpointURL {
        guard let issuer = EndpointURL(self.settings.issuer),
            let url = try? self.settings.endpoints.endpoint(text, of: issuer)
        else { throw BrokerFailure(.unavailable, "endpoint_refused") }
        return url
    }

    /// A form with the proof that we are the client.
    func post(
        _ parameters: Parameters, to endpoint: EndpointURL, _ purpose: ProviderRequest.Purpose
    ) async throws(BrokerFailure) -> ProviderResponse {
        let metadata = try await self.metadata()
        let request: ProviderRequest
        do throws(AuthenticatedForm.Failure) {
            request = try AuthenticatedForm(parameters: parameters, client: self.client)
                .request(purpose, to: endpoint, of: metadata, now: self.now())
        } catch {
            throw BrokerFailure(.unavailable, "\(purpose.rawValue)_\(error.rawValue)")
        }
        return try await self.ask(request)
    }

    /// Asks the token endpoint for an answer that may not be there yet (CIBA Core 11).
    func poll(_ parameters: Parameters) async throws(BrokerFailure) -> Progress {
        let response = try await self.post(parameters, to: try await self.metadata().tokenEndpoint, .token)
        switch response.refusal?.code {
        case "authorization_pending"?:
            return .pending(response.json?["acr_data"]?["hintCode"]?.string.flatMap { Hint(bankID: $0) })
        case "slow_down"?: return .slowDown
        case nil where response.status == 200:
            _ = try self.tokens { () throws(TokenResponse.Failure) in try TokenResponse.judge(response) }
            return .answer(Secret(response.body))
        default: throw BrokerFailure(poll: response)
        }
    }
}

extension BrokerFailure {
    /// An answer that is no success.
    init(poll response: ProviderResponse) {
        switch response.refusal?.code {
        case nil:
            let isDenial = ProviderResponse.isDenial(response.status)
            self.init(isDenial ? .refused : .unavailable, "token_status_\(response.status)")
        case "access_denied"?: self.init(.cancelled, "token_error_access_denied")
        case "expired_token"?: self.init(.expired, "token_error_expired_token")
        case let code?: self.init(.refused, "token_error_\(code)")
        }
    }
}
