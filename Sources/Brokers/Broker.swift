/// A broker that speaks OpenID Connect: asks for a login and judges every answer.
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

    /// For whoever watches: how old is what we believe of the broker?
    package var metadataFetchedAt: Timestamp? { self.directory.metadataFetchedAt }
    package var keysFetchedAt: Timestamp? { self.directory.keysFetchedAt }

    private var client: Client { self.settings.client }

    /// The redirect URI, if it is a link that opens the app.
    package var appRedirectURI: String? { self.settings.redirectsToApp ? self.client.redirectURI : nil }
}

// MARK: - The browser's way

extension Broker {
    /// Where to send a browser for this challenge (Core 3.1.2.1). With PAR the request is pushed first (RFC 9126).
    package func authorizationURL(
        for provider: Provider, _ challenge: Challenge, _ visit: Visit
    ) async throws(BrokerFailure) -> String {
        let metadata = try await self.metadata()
        let request = AuthorizationRequest(
            client: self.client, challenge: challenge, scope: provider.scope, prompt: provider.prompt,
            maxAge: provider.maxAge, acrValues: provider.acrValues, uiLocales: visit.languages,
            claims: provider.claimsRequest,
            additional: self.settings.kind.parameters(for: provider, visit) + visit.parameters)
        switch try await self.authorization(request, metadata) {
        case .url(let url): return url
        case .push(let push): return request.url(pushed: try await self.push(push), metadata: metadata)
        }
    }

    private func authorization(
        _ request: AuthorizationRequest, _ metadata: ProviderMetadata
    ) async throws(BrokerFailure) -> AuthorizationRequest.Authorization {
        do throws(AuthorizationRequest.Failure) {
            guard self.client.signsRequests else {
                return try request.authorization(metadata: metadata, now: self.now())
            }
            // An RSA signature takes a quarter of a millisecond: not on a queue that serves connections.
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () async throws(AuthorizationRequest.Failure) in
                try request.authorization(metadata: metadata, now: self.now())
            }
        } catch {
            throw BrokerFailure(.unavailable, "authorize_\(error.rawValue)")
        }
    }

    private func push(_ request: ProviderRequest) async throws(BrokerFailure) -> PushedAuthorization {
        let response = try await self.ask(request)
        do throws(PushedAuthorization.Failure) { return try PushedAuthorization.judge(response) } catch {
            throw BrokerFailure(error)
        }
    }

    /// What came from it, as it should have been written.
    package func received(_ parameters: [(name: String, value: String)]) -> [(name: String, value: String)] {
        self.settings.kind.received(parameters)
    }

    /// Where a browser is to go on, by a link to the app; nil when it says nothing of it, or leads to somebody else.
    package func resumeURL(in parameters: [(name: String, value: String)]) -> String? {
        guard let text = self.settings.kind.resumeURL(in: parameters), let issuer = EndpointURL(self.settings.issuer),
            (try? self.settings.endpoints.endpoint(text, of: issuer)) != nil
        else { return nil }
        return text
    }

    /// The `state` of an authorization response, not judged yet; nil when there is not exactly one.
    package func state(in parameters: [(name: String, value: String)]) -> String? {
        let name = self.client.responseMode.isJWT ? "response" : "state"
        let values = parameters.filter { $0.name == name }.map(\.value)
        guard values.count == 1 else { return nil }
        return self.client.responseMode.isJWT ? JARMResponse.state(of: values[0]) : values[0]
    }

    /// What the broker's redirect says, once it has passed the rules (RFC 6749 §4.1.2, RFC 9207, JARM).
    package func judge(
        _ parameters: [(name: String, value: String)], state: String
    ) async throws(BrokerFailure) -> AuthorizationResponse.Answer {
        let metadata = try await self.metadata()
        do throws(AuthorizationResponse.Rule) {
            let members = try await self.members(of: parameters)
            return try AuthorizationResponse(
                members, state: state, issuer: self.settings.issuer, issuerPolicy: self.settings.issuerPolicy,
                promised: metadata.issParameterSupported
            ).answer
        } catch {
            throw BrokerFailure(error)
        }
    }

    /// Those of the signed response, where one was asked for.
    private func members(
        of parameters: [(name: String, value: String)]
    ) async throws(AuthorizationResponse.Rule) -> [(name: String, value: String)] {
        guard self.client.responseMode.isJWT else { return parameters }
        let rules = JWTRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, algorithms: self.settings.idTokenAlgorithms,
            leeway: self.settings.clockLeeway, now: self.now())
        return try await JARMResponse.judge(parameters, rules: rules, directory: self.directory)
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

    /// Who it was: the ID token's rules, then the userinfo of the same person. The code is the one that was redeemed.
    package func identify(
        _ answer: Secret, code: Secret, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerFailure) -> Identity {
        let tokens = try self.tokens { () throws(TokenResponse.Failure) in try TokenResponse(answer.exposed) }
        var rules = self.rules(for: provider, challenge, openedAt: openedAt)
        rules.accessToken = tokens.accessToken
        rules.code = code
        let idToken: IDToken
        do throws(IDTokenRules.Broken) {
            idToken = try await IDToken.judge(tokens.idToken, rules: rules, directory: self.directory)
        } catch {
            throw BrokerFailure(error)
        }
        try self.settings.kind.check(idToken, for: provider)
        let userInfo = try await self.userInfo(of: idToken, tokens, for: provider)
        let identity = Identity(idToken, userInfo, for: provider, names: self.settings.kind.claimNames)
        try Self.check(identity, for: provider)
        return identity
    }

    /// What the provider asks for, in our words.
    private static func check(_ identity: Identity, for provider: Provider) throws(BrokerFailure) {
        guard identity.assurance >= provider.minimumAssurance else {
            throw BrokerFailure(.assuranceTooLow, "assurance_\(identity.assurance.rawValue)")
        }
        guard provider.methods.isEmpty || !provider.methods.isDisjoint(with: identity.methods) else {
            throw BrokerFailure(.assuranceTooLow, "amr")
        }
    }

    private func rules(for provider: Provider, _ challenge: Challenge, openedAt: Timestamp) -> IDTokenRules {
        var rules = IDTokenRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, nonce: challenge.nonce,
            algorithms: self.settings.idTokenAlgorithms, leeway: self.settings.clockLeeway, now: self.now())
        rules.decrypter = self.settings.idTokenDecrypter
        rules.acrClaims = self.settings.kind.claimNames.contextClasses
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
            request = try UserInfo.request(
                accessToken: accessToken, client: self.client, formats: [self.settings.userInfoFormat],
                metadata: metadata)
        } catch {
            throw BrokerFailure(error)
        }
        let response = try await self.ask(request)
        let rules = UserInfoRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, formats: [self.settings.userInfoFormat],
            algorithms: self.settings.idTokenAlgorithms, decrypter: self.settings.userInfoDecrypter,
            leeway: self.settings.clockLeeway, now: self.now())
        do throws(UserInfo.Failure) {
            return try await UserInfo.judge(
                response, subject: idToken.subject, rules: rules, directory: self.directory)
        } catch {
            throw BrokerFailure(error)
        }
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
        let request = request.adding(self.settings.kind.fields(for: request.purpose))
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
