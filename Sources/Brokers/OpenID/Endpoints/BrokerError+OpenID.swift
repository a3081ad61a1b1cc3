// Maps each validation error to a kind of failure.

import OpenIDConnect

extension BrokerError {
    init(_ failure: ProviderDirectoryError) {
        switch failure {
        case .fetch(let error): self.init(Self.kind(of: error), failure.raw)
        default: self.init(.unavailable, failure.raw)
        }
    }

    init(_ failure: PushedAuthorizationError) {
        switch failure {
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, failure.raw, word: failure.word)
        case .refused, .malformed: self.init(.unavailable, failure.raw, word: failure.word)
        }
    }

    init(_ rule: AuthorizationResponseError) {
        self.init(.invalidResponse, "response_\(rule.rawValue.snakeCased)")
    }

    init(_ failure: TokenResponseError) {
        switch failure {
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, failure.raw, word: failure.word)
        case .refused, .malformed: self.init(.unavailable, failure.raw, word: failure.word)
        case .idTokenMissing, .tokenType: self.init(.invalidToken, failure.raw)
        }
    }

    init(_ failure: UserInfoError) {
        let word = failure.raw.snakeCased
        switch failure {
        case .keysUnavailable(let reason): self.init(reason)
        case .status(let status) where ProviderResponse.isDenial(status): self.init(.refused, word)
        case .endpointMissing, .endpoint, .endpointAlias, .status, .contentType, .tooLarge, .malformed:
            self.init(.unavailable, word)
        case .form, .rules, .party, .subjectMissing, .subject: self.init(.invalidToken, word)
        }
    }

    init(_ error: IDTokenError) {
        let word = "id_token_\(error.rawValue.snakeCased)"
        switch error {
        case .authTimeInFuture, .authTimeTooOld, .notFresh: self.init(.notFresh, word)
        case .acrMissing, .acr: self.init(.assuranceTooLow, word)
        case .tooLarge, .malformed, .encrypted, .notEncrypted, .encryptionAlgorithm, .encryptionKey, .decryption,
            .type, .algorithm, .unknownKey, .ambiguousKey, .signature, .claims, .claimType, .issuerMissing,
            .issuer, .audienceMissing, .audience, .foreignAudience, .authorizedPartyMissing, .authorizedParty,
            .expiryMissing, .expired, .issuedAtMissing, .issuedInFuture, .issuedTooLongAgo,
            .notYetValid, .nonceMissing, .nonce, .subjectMissing, .subject, .accessTokenHash, .codeHash,
            // Nobody knows whether the user authenticated, and a second login would tell no more.
            .authTimeMissing:
            self.init(.invalidToken, word)
        }
    }

    init(_ failure: VerificationError<IDTokenError>) {
        switch failure {
        case .keysUnavailable(let reason): self.init(reason)
        case .rule(let rule): self.init(rule)
        }
    }

    init(_ failure: VerificationError<AuthorizationResponseError>) {
        switch failure {
        case .keysUnavailable(let reason): self.init(reason)
        case .rule(let rule): self.init(rule)
        }
    }

    /// Maps a response that is no success.
    init(poll response: ProviderResponse) {
        guard let error = response.refusal else {
            let isDenial = ProviderResponse.isDenial(response.status)
            self.init(isDenial ? .refused : .unavailable, "token_status_\(response.status)")
            return
        }
        let kind: Kind =
            switch error.code {
            case "access_denied": .cancelled
            case "expired_token": .expired
            default: .refused
            }
        self.init(kind, "token_error_\(error.word.text)", word: error.word)
    }
}
