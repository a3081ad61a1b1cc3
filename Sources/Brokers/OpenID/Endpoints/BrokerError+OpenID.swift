// Maps each validation error to a kind of failure.

import OpenIDConnect

extension BrokerError {
    init(_ failure: ProviderDirectoryError) {
        switch failure {
        case .fetch(let error): self.init(Self.kind(of: error), .directory(failure))
        case .status, .tooLarge, .metadata, .keySet, .noUsableKey, .throttled:
            self.init(.unavailable, .directory(failure))
        }
    }

    init(pushing failure: ProviderResponseError) {
        self.init(failure.isDenial ? .refused : .unavailable, .pushedAuthorization(failure))
    }

    init(_ rule: AuthorizationResponseError) { self.init(.invalidResponse, .authorizationResponse(rule)) }

    init(_ failure: TokenResponseError) {
        switch failure {
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, .tokenResponse(failure))
        case .refused: self.init(.unavailable, .tokenResponse(failure))
        case .idTokenMissing, .tokenType: self.init(.invalidToken, .tokenResponse(failure))
        }
    }

    init(_ failure: UserInfoError) {
        switch failure {
        case .keysUnavailable(let reason): self.init(reason)
        case .status(let status) where ProviderResponse.isDenial(status): self.init(.refused, .userInfo(failure))
        case .endpointMissing, .endpoint, .endpointAlias, .status, .contentType, .tooLarge, .malformed:
            self.init(.unavailable, .userInfo(failure))
        case .form, .rules, .party, .subjectMissing, .subject: self.init(.invalidToken, .userInfo(failure))
        }
    }

    init(_ error: IDTokenError) {
        switch error {
        case .authTimeInFuture, .authTimeTooOld, .notFresh: self.init(.notFresh, .idToken(error))
        case .acrMissing, .acr: self.init(.assuranceTooLow, .idToken(error))
        case .claimType, .issuerMissing, .issuer, .audienceMissing, .audience, .foreignAudience,
            .authorizedPartyMissing, .authorizedParty, .expiryMissing, .expired, .issuedAtMissing, .issuedInFuture,
            .issuedTooLongAgo, .notYetValid, .nonceMissing, .nonce, .subjectMissing, .subject, .accessTokenHash,
            .codeHash,
            // Nobody knows whether the user authenticated, and a second login would tell no more.
            .authTimeMissing:
            self.init(.invalidToken, .idToken(error))
        }
    }

    init(_ failure: VerificationError<IDTokenError>) {
        switch failure {
        case .keysUnavailable(let reason): self.init(reason)
        case .form(let error): self.init(.invalidToken, .idTokenForm(error))
        case .rule(let rule): self.init(rule)
        }
    }

    init(_ failure: VerificationError<AuthorizationResponseError>) {
        switch failure {
        case .keysUnavailable(let reason): self.init(reason)
        case .form(let error): self.init(AuthorizationResponseError(error))
        case .rule(let rule): self.init(rule)
        }
    }

    /// Maps a response that is no success.
    init(poll response: ProviderResponse) {
        guard let error = response.refusal else {
            let isDenial = ProviderResponse.isDenial(response.status)
            self.init(isDenial ? .refused : .unavailable, .tokenResponse(.refused(.status(response.status))))
            return
        }
        let kind: Kind =
            switch error.code {
            case "access_denied": .cancelled
            case "expired_token": .expired
            default: .refused
            }
        self.init(kind, .tokenResponse(.refused(.oauth(error.word))))
    }
}
