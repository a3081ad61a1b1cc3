// The flow of a provider: through a browser, or as a backchannel transaction that we start and poll.

import OpenIDConnect

extension OpenIDBroker {
    package func startAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext
    ) async throws(BrokerError) -> AuthorizationStart {
        try await self.endpoints.checkEndpoints(usesUserInfo: provider.usesUserInfo)
        switch provider.flow {
        // Another type of broker has this flow.
        case .artifact:
            throw BrokerError(.unavailable, .flow)
        case .browser:
            return AuthorizationStart(.browser(url: try await self.authorizationURL(for: provider, challenge, context)))
        case .launchLinks:
            let url = try await self.authorizationURL(for: provider, challenge, context)
            return try await LaunchLinkFlow(endpoints: self.endpoints).startAuthorization(from: url)
        case .headless:
            return try await HeadlessFlow(endpoints: self.endpoints).startAuthorization(for: provider, context)
        case .ciba:
            return try await BackchannelFlow(endpoints: self.endpoints).startAuthorization(
                for: provider, challenge, context)
        }
    }

    package func restartAuthorization(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext,
        _ transaction: BackchannelTransaction?
    ) async throws(BrokerError) -> AuthorizationStart {
        guard let transaction, transaction.kind == .backchannel else {
            return try await self.startAuthorization(for: provider, challenge, context)
        }
        return try await BackchannelFlow(endpoints: self.endpoints).restartAuthorization(challenge, transaction)
    }

    package func fetchProgress(of transaction: BackchannelTransaction) async throws(BrokerError) -> BackchannelProgress
    {
        switch transaction.kind {
        case .launchLinks: try await LaunchLinkFlow(endpoints: self.endpoints).fetchProgress(of: transaction)
        case .headless: try await HeadlessFlow(endpoints: self.endpoints).fetchProgress(of: transaction)
        case .backchannel: try await BackchannelFlow(endpoints: self.endpoints).fetchProgress(of: transaction)
        case .artifact: .pending(nil)
        }
    }

    package func abandon(_ transaction: BackchannelTransaction) async {
        switch transaction.kind {
        case .launchLinks: await LaunchLinkFlow(endpoints: self.endpoints).abandon(transaction)
        case .backchannel: await BackchannelFlow(endpoints: self.endpoints).abandon(transaction)
        case .headless, .artifact: break
        }
    }
}
