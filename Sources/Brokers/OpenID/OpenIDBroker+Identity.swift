// The server's part: exchanges a code for tokens, and makes an identity of the tokens.

import Base
import OpenIDConnect

extension OpenIDBroker {
    package func redeem(code: Secret, _ challenge: Challenge, _ transaction: BackchannelTransaction?)
        async throws(BrokerError) -> BrokerAnswer
    {
        let metadata = try await self.endpoints.metadata()
        let request: ProviderRequest
        do throws(ClientAuthenticationError) {
            request = try TokenRequest(code: code, challenge: challenge, client: self.client)
                .providerRequest(metadata: metadata, now: self.endpoints.now())
        } catch {
            throw BrokerError(.unavailable, .tokenRequest(error))
        }
        let response = try await self.endpoints.send(request)
        return try self.endpoints.tokens(in: response)
    }

    package func retained(_ answer: BrokerAnswer, for provider: Provider) -> Secret {
        // It was read before, so this does not fail.
        guard let tokens = try? self.tokens(in: answer) else { return answer.bytes }
        return Secret(tokens.stored(withAccessToken: provider.usesUserInfo))
    }

    /// Validates the ID token, and then the userinfo of the same user.
    package func identify(
        _ answer: BrokerAnswer, code: Secret?, _ challenge: Challenge, for provider: Provider, openedAt: Timestamp
    ) async throws(BrokerError) -> Identity {
        let tokens = try self.tokens(in: answer)
        var rules = self.rules(for: provider, challenge, openedAt: openedAt)
        rules.accessToken = tokens.accessToken
        rules.accessTokenHashes = tokens.accessTokenHashes
        rules.code = code
        // In a transaction that delivered its response itself there was no place for a nonce.
        if code == nil { rules.nonce = nil }
        let idToken: IDToken
        do throws(VerificationError<IDTokenError>) {
            idToken = try await IDToken.validate(tokens.idToken, rules: rules, directory: self.endpoints.directory)
        } catch {
            throw BrokerError(error)
        }
        try self.settings.kind.check(idToken, for: provider)
        let userInfo = try await self.userInfo(of: idToken, tokens, for: provider)
        let identity = try Identity(idToken, userInfo, for: provider, names: self.settings.kind.claimNames)
        try provider.check(identity)
        return identity
    }

    /// Reads the response, unless this process has done it.
    private func tokens(in answer: BrokerAnswer) throws(BrokerError) -> TokenResponse {
        if let tokens = answer.content(as: TokenResponse.self) { return tokens }
        return try self.endpoints.judge { () throws(TokenResponseError) in try TokenResponse(answer.bytes.exposed) }
    }

    private func rules(for provider: Provider, _ challenge: Challenge, openedAt: Timestamp) -> IDTokenRules {
        var rules = IDTokenRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, nonce: challenge.nonce,
            algorithms: self.settings.idTokenAlgorithms, leeway: self.settings.clockLeeway, now: self.endpoints.now())
        rules.decrypter = self.settings.idTokenDecrypter
        rules.trustedAudiences = self.settings.trustedAudiences
        rules.acrClaims = self.settings.kind.claimNames.contextClasses
        rules.acrValues = provider.acrValues
        rules.acrMustMatch = !provider.acrValues.isEmpty
        rules.maxAge = provider.maxAge
        rules.freshSince = provider.demandsFreshLogin ? openedAt : nil
        return rules
    }

    private func userInfo(
        of idToken: IDToken, _ tokens: TokenResponse, for provider: Provider
    ) async throws(BrokerError) -> UserInfo? {
        let metadata = try await self.endpoints.metadata()
        guard provider.usesUserInfo, metadata.hasUserInfo else { return nil }
        guard
            let accessToken = try self.endpoints.judge({ () throws(TokenResponseError) in try tokens.bearerToken() })
        else { throw BrokerError(.invalidToken, .accessTokenMissing) }
        let request = try self.userInfoRequest(accessToken, metadata)
        var response = try await self.endpoints.send(request)
        if response.isGone {
            // The endpoint may have moved. The access token may go to the new one, which is judged like the old.
            let movedRequest = try self.userInfoRequest(accessToken, try await self.endpoints.metadata())
            if movedRequest.url != request.url { response = try await self.endpoints.send(movedRequest) }
        }
        var rules = UserInfoRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, formats: [self.settings.userInfoFormat],
            algorithms: self.settings.idTokenAlgorithms, decrypter: self.settings.userInfoDecrypter,
            leeway: self.settings.clockLeeway, now: self.endpoints.now())
        rules.trustedAudiences = self.settings.trustedAudiences
        do throws(UserInfoError) {
            return try await UserInfo.validate(
                response, subject: idToken.subject, rules: rules, directory: self.endpoints.directory)
        } catch {
            throw BrokerError(error)
        }
    }

    private func userInfoRequest(
        _ accessToken: Secret, _ metadata: ProviderMetadata
    ) throws(BrokerError) -> ProviderRequest {
        let request = UserInfo.request(
            accessToken: accessToken, client: self.client, formats: [self.settings.userInfoFormat], metadata: metadata)
        return try request.mapError { BrokerError($0) }.get()
    }
}
