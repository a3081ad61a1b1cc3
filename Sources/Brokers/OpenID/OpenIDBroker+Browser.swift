// The browser's part: where it is sent, and what it brings back.

import Base
import OpenIDConnect

extension OpenIDBroker {
    /// Returns the URL to send a browser to (Core 3.1.2.1). With PAR the request is pushed first (RFC 9126).
    func authorizationURL(
        for provider: Provider, _ challenge: Challenge, _ context: AuthorizationContext
    ) async throws(BrokerError) -> String {
        let metadata = try await self.endpoints.metadata()
        let freshness = FreshnessRequest(for: provider, at: self.settings, metadata)
        let request = AuthorizationRequest(
            client: self.client, challenge: challenge, scope: provider.scope, prompt: provider.prompt,
            maxAge: freshness.maxAge, acrValues: provider.acrValues, uiLocales: context.languages,
            claims: freshness.claims,
            additional: self.additional(for: provider, context))
        switch try await self.authorization(request, metadata) {
        case .url(let url): return url
        case .push(let push): return request.url(pushed: try await self.push(push), metadata: metadata)
        }
    }

    package func accepts(_ parameter: Parameter) -> Bool { self.settings.kind.accepts(parameter) }

    /// Parameters of the kind replace those of the app with the same name.
    private func additional(for provider: Provider, _ context: AuthorizationContext) -> Parameters {
        let own = self.settings.kind.parameters(for: provider, context)
        let names = Set(own.map(\.name))
        return own + context.parameters.filter { !names.contains($0.name) }
    }

    private func authorization(
        _ request: AuthorizationRequest, _ metadata: ProviderMetadata
    ) async throws(BrokerError) -> AuthorizationRequest.Authorization {
        do throws(AuthorizationRequestError) {
            guard self.client.signsRequests else {
                return try request.authorization(metadata: metadata, now: self.endpoints.now())
            }
            // An RSA signature takes a quarter of a millisecond, too long for a queue that serves connections.
            return try await withTaskExecutorPreference(globalConcurrentExecutor) {
                () async throws(AuthorizationRequestError) in
                try request.authorization(metadata: metadata, now: self.endpoints.now())
            }
        } catch {
            throw BrokerError(.unavailable, .authorizationRequest(error))
        }
    }

    private func push(_ request: ProviderRequest) async throws(BrokerError) -> PushedAuthorization {
        let response = try await self.endpoints.send(request)
        do throws(ProviderResponseError) { return try PushedAuthorization.validate(response) } catch {
            throw BrokerError(pushing: error)
        }
    }

    package func normalized(_ parameters: Parameters) -> Parameters {
        self.settings.kind.normalized(parameters)
    }

    package func resumeURL(in parameters: Parameters) -> String? {
        guard let text = self.settings.kind.resumeURL(in: parameters), let issuer = EndpointURL(self.settings.issuer),
            (try? self.settings.endpoints.endpoint(text, of: issuer)) != nil
        else { return nil }
        return text
    }

    package func state(in parameters: Parameters) throws(StateError) -> String {
        guard self.client.responseMode.isJWT else {
            return try ResponseParameters.onlyValue(of: "state", in: parameters)
        }
        let response = try ResponseParameters.onlyValue(of: "response", in: parameters)
        guard let state = JARMVerifier.state(of: response) else { throw .unreadable }
        return state
    }

    /// Validates by RFC 6749 §4.1.2, RFC 9207 and JARM.
    package func validate(
        _ parameters: Parameters, state: String, for provider: Provider
    ) async throws(BrokerError) -> AuthorizationResult {
        if provider.flow == .ciba, Self.isLanding(parameters) { return .landed }
        let metadata = try await self.endpoints.metadata()
        do throws(VerificationError<AuthorizationResponseError>) {
            let response = try await AuthorizationResponse.validate(
                parameters, state: state, issuer: self.settings.issuer, issuerPolicy: self.settings.issuerPolicy,
                promised: metadata.issParameterSupported, signed: self.jarmVerifier)
            switch response {
            case .granted(let code): return .granted(code: code)
            case .denied(let error): return .denied(self.settings.kind.failure(of: error))
            }
        } catch {
            throw BrokerError(error)
        }
    }

    /// Returns whether the browser returned from a backchannel login, with nothing but the state.
    private static func isLanding(_ parameters: Parameters) -> Bool {
        parameters.map(\.name).allSatisfy { $0 != "code" && $0 != "error" && $0 != "response" }
    }

    /// Nil unless we requested a signed response.
    private var jarmVerifier: JARMVerifier? {
        guard self.client.responseMode.isJWT else { return nil }
        let rules = JWTRules(
            issuer: self.settings.issuer, clientID: self.client.clientID, algorithms: self.settings.idTokenAlgorithms,
            leeway: self.settings.clockLeeway, now: self.endpoints.now())
        return JARMVerifier(rules: rules, directory: self.endpoints.directory)
    }
}
