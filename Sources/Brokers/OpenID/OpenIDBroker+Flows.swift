/// The flow of a provider: through a browser, or as a backchannel transaction that we start and poll.
import OpenIDConnect

extension OpenIDBroker {
    package func depart(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit
    ) async throws(BrokerError) -> Departure {
        switch provider.flow {
        // Another type of broker has this flow.
        case .artifact:
            throw BrokerError(.unavailable, "flow")
        case .browser:
            return Departure(.browser(url: try await self.authorizationURL(for: provider, challenge, visit)))
        case .launchLinks:
            let url = try await self.authorizationURL(for: provider, challenge, visit)
            return try await LaunchLinkFlow(endpoints: self.endpoints).depart(from: url)
        case .headless:
            return try await HeadlessFlow(endpoints: self.endpoints).depart(for: provider, visit)
        case .ciba:
            return try await BackchannelFlow(endpoints: self.endpoints).depart(for: provider, challenge, visit)
        }
    }

    package func departAgain(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit, _ trip: Trip?
    ) async throws(BrokerError) -> Departure {
        guard let trip, trip.kind == .backchannel else { return try await self.depart(for: provider, challenge, visit) }
        return try await BackchannelFlow(endpoints: self.endpoints).departAgain(challenge, trip)
    }

    package func progress(of trip: Trip) async throws(BrokerError) -> Progress {
        switch trip.kind {
        case .launchLinks: try await LaunchLinkFlow(endpoints: self.endpoints).progress(of: trip)
        case .headless: try await HeadlessFlow(endpoints: self.endpoints).progress(of: trip)
        case .backchannel: try await BackchannelFlow(endpoints: self.endpoints).progress(of: trip)
        case .artifact: .pending(nil)
        }
    }

    package func giveUp(_ trip: Trip) async {
        switch trip.kind {
        case .launchLinks: await LaunchLinkFlow(endpoints: self.endpoints).giveUp(trip)
        case .backchannel: await BackchannelFlow(endpoints: self.endpoints).giveUp(trip)
        case .headless, .artifact: break
        }
    }
}
