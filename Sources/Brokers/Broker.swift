/// A broker that speaks plain OpenID Connect (`kind: oidc`): asks for a login and judges every answer.
///
/// It keeps no login. What a kind of broker does differently from the specifications stands in that kind's own file.
import JOSE
import OpenIDConnect

package final class Broker: Sendable {
    package let id: String
    let settings: BrokerSettings
    let directory: ProviderDirectory
    let fetch: Fetch
    let now: @Sendable () -> Timestamp

    package init(_ settings: BrokerSettings, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp) {
        self.id = settings.id
        self.settings = settings
        self.fetch = fetch
        self.now = now
        self.directory = ProviderDirectory(
            issuer: settings.issuer, policy: settings.endpoints, fetch: fetch, now: now)
    }

    private var client: Client { self.settings.client }
}

// MARK: - The browser's way

extension Broker {
    /// Where to send a browser for this challenge (Core 3.1.2.1).
    package func authorizationURL(
        for provider: Provider, _ challenge: Challenge, uiLocales: [String],
        parameters: [(name: String, value: String)]
    ) async throws(BrokerFailure) -> String {
        let metadata = try await self.metadata()
        let request = AuthorizationRequest(
            client: self.client, challenge: challenge, scope: provider.scope, prompt: provider.prompt,
            maxAge: provider.maxAge, acrValues: provider.acrValues, uiLocales: uiLocales, additional: parameters)
        do throws(AuthorizationRequest.Failure) {
            guard self.client.requestObject != nil else { return try request.url(metadata: metadata, now: self.now()) }
            // An RSA signature takes a quarter of a millisecond: not on a queue that serves connections.
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () async throws(AuthorizationRequest.Failure) in
                try request.url(metadata: metadata, now: self.now())
            }
        } catch {
            throw BrokerFailure(.unavailable, "authorize_\(error.rawValue)")
        }
    }

    /// What the broker's redirect says, once it has passed the rules (RFC 6749 §4.1.2, RFC 9207).
    package func judge(
        _ parameters: [(name: String, value: String)], state: String
    ) async throws(BrokerFailure) -> AuthorizationResponse.Answer {
        let metadata = try await self.metadata()
        do throws(AuthorizationResponse.Rule) {
            return try AuthorizationResponse(
                parameters, state: state, issuer: self.settings.issuer, issuerPolicy: self.settings.issuerPolicy,
                promised: metadata.issParameterSupported
            ).answer
        } catch {
            throw BrokerFailure(.invalidResponse, "response_\(error.rawValue)")
        }
    }
}

// MARK: - The server's way

extension Broker {
    /// Redeems a code. Returns the token answer as it came, to be kept before anything else is asked.
    package func redeem(code: Secret, _ challenge: Challenge) async throws(BrokerFailure) -> Secret {
        let metadata = try await self.metadata()
        let request: ProviderRequest
        do throws(TokenRequest.Failure) {
            request = try TokenRequest(code: code, challenge: challenge, client: self.client)
                .providerRequest(metadata: metadata, now: self.now())
        } catch {
            throw BrokerFailure(.unavailable, "token_request_\(error.rawValue)")
        }
        let response = try await self.ask(request)
        _ = try self.tokens { () throws(TokenResponse.Failure) in try TokenResponse.judge(response) }
        return Secret(response.body)
    }

    /// Who it was: the ID token's rules, then the userinfo of the same person.
    package func identify(
        _ answer: Secret, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerFailure) -> Identity {
        let tokens = try self.tokens { () throws(TokenResponse.Failure) in try TokenResponse(answer.exposed) }
        let rules = self.rules(for: provider, challenge, openedAt: openedAt, accessToken: tokens.accessToken)
        let idToken: IDToken
        do throws(IDTokenRules.Broken) {
            idToken = try await IDToken.judge(tokens.idToken, rules: rules, directory: self.directory)
        } catch {
            throw BrokerFailure(error)
        }
        let userInfo = try await self.userInfo(of: idToken, tokens, for: provider)
        return self.identity(of: idToken, userInfo, for: provider)
    }

    private func rules(
        for provider: Provider, _ challenge: Challenge, openedAt: Timestamp, accessToken: Secret?
    ) -> IDTokenRules {
        var rules = IDTokenRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, nonce: challenge.nonce,
            algorithms: self.settings.idTokenAlgorithms, leeway: self.settings.clockLeeway, now: self.now())
        rules.accessToken = accessToken
        rules.acrValues = provider.acrValues
        rules.acrMustMatch = !provider.acrValues.isEmpty
        rules.maxAge = provider.maxAge
        rules.freshSince = provider.demandsFreshLogin ? openedAt : nil
        return rules
    }

    private func userInfo(
        of idToken: IDToken, _ tokens: TokenResponse, for provider: Provider
    ) async throws(BrokerFailure) -> UserInfo? {
        let metadata = try await self.metadata()
        guard provider.usesUserInfo, metadata.userinfoEndpoint != nil else { return nil }
        guard let accessToken = tokens.accessToken else {
            throw BrokerFailure(.invalidToken, "token_access_token_missing")
        }
        let request: ProviderRequest
        do throws(UserInfo.Failure) {
            request = try UserInfo.request(accessToken: accessToken, metadata: metadata)
        } catch {
            throw BrokerFailure(error)
        }
        let response = try await self.ask(request)
        do throws(UserInfo.Failure) { return try UserInfo.judge(response, subject: idToken.subject) } catch {
            throw BrokerFailure(error)
        }
    }

    private func identity(of idToken: IDToken, _ userInfo: UserInfo?, for provider: Provider) -> Identity {
        func claim(_ name: String) -> JSON? { userInfo?.claims[name] ?? idToken.claims[name] }
        var claims: JSON.Object = [:]
        for name in provider.claims { claims[name] = claim(name) }
        return Identity(
            subject: idToken.subject, provider: provider.id, acr: idToken.acr, authenticatedAt: idToken.authTime,
            name: claim("name")?.string, claims: claims)
    }
}

// MARK: - Asking, with failures in our words

extension Broker {
    private func metadata() async throws(BrokerFailure) -> ProviderMetadata {
        do throws(ProviderDirectory.Failure) { return try await self.directory.metadata() } catch {
            throw BrokerFailure(error)
        }
    }

    private func ask(_ request: ProviderRequest) async throws(BrokerFailure) -> ProviderResponse {
        do throws(FetchError) { return try await self.fetch(request) } catch {
            throw BrokerFailure(error, of: request.purpose)
        }
    }

    private func tokens(
        _ judge: () throws(TokenResponse.Failure) -> TokenResponse
    ) throws(BrokerFailure) -> TokenResponse {
        do throws(TokenResponse.Failure) { return try judge() } catch { throw BrokerFailure(error) }
    }
}
