/// Maps each validation error to a kind of failure.
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
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, failure.raw)
        case .refused, .malformed: self.init(.unavailable, failure.raw)
        }
    }

    init(_ rule: AuthorizationResponseError) {
        let kind: Kind = rule == .responseKeysUnavailable ? .unavailable : .invalidResponse
        self.init(kind, "response_\(rule.rawValue)")
    }

    init(_ failure: TokenResponseError) {
        switch failure {
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, failure.raw)
        case .refused, .malformed: self.init(.unavailable, failure.raw)
        case .idTokenMissing, .tokenType: self.init(.invalidToken, failure.raw)
        }
    }

    init(_ failure: UserInfoError) {
        switch failure {
        case .status(let status) where ProviderResponse.isDenial(status): self.init(.refused, failure.raw)
        case .endpointMissing, .endpointAlias, .status, .contentType, .tooLarge, .malformed, .form(.keysUnavailable):
            self.init(.unavailable, failure.raw)
        case .form, .rules, .party, .subjectMissing, .subject: self.init(.invalidToken, failure.raw)
        }
    }

    init(_ broken: IDTokenError) {
        switch broken {
        case .keysUnavailable:
            self.init(.unavailable, "id_token_\(broken.rawValue)")
        case .authTimeInFuture, .authTimeTooOld, .notFresh:
            self.init(.notFresh, "id_token_\(broken.rawValue)")
        case .acrMissing, .acr:
            self.init(.assuranceTooLow, "id_token_\(broken.rawValue)")
        case .malformed, .encrypted, .notEncrypted, .encryptionAlgorithm, .encryptionKey, .decryption, .type,
            .algorithm, .unknownKey, .ambiguousKey, .signature, .claims, .claimType, .issuerMissing,
            .issuer, .audienceMissing, .audience, .foreignAudience, .authorizedPartyMissing, .authorizedParty,
            .expiryMissing, .expired, .issuedAtMissing, .issuedInFuture, .issuedTooLongAgo,
            .notYetValid, .nonceMissing, .nonce, .subjectMissing, .subject, .accessTokenHash, .codeHash,
            // Nobody knows whether the user authenticated, and a second login would tell no more.
            .authTimeMissing:
            self.init(.invalidToken, "id_token_\(broken.rawValue)")
        }
    }

    /// Maps a response that is no success.
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
