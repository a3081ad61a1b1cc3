/// Which kind of failure each broken rule is.
import OpenIDConnect

extension BrokerFailure {
    init(_ failure: ProviderDirectory.Failure) {
        switch failure {
        case .fetch(.noDescriptors): self.init(.notAsked, failure.raw)
        default: self.init(.unavailable, failure.raw)
        }
    }

    init(_ error: FetchError, of purpose: ProviderRequest.Purpose) {
        switch error {
        case .noDescriptors: self.init(.notAsked, "\(purpose.rawValue)_\(error.raw)")
        default: self.init(.unavailable, "\(purpose.rawValue)_\(error.raw)")
        }
    }

    init(_ failure: PushedAuthorization.Failure) {
        switch failure {
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, failure.raw)
        case .refused, .malformed: self.init(.unavailable, failure.raw)
        }
    }

    init(_ rule: AuthorizationResponse.Rule) {
        let kind: Kind = rule == .responseKeysUnavailable ? .unavailable : .invalidResponse
        self.init(kind, "response_\(rule.rawValue)")
    }

    init(_ failure: TokenResponse.Failure) {
        switch failure {
        case .refused(let refusal) where refusal.isDenial: self.init(.refused, failure.raw)
        case .refused, .malformed: self.init(.unavailable, failure.raw)
        case .idTokenMissing, .tokenType: self.init(.invalidToken, failure.raw)
        }
    }

    init(_ failure: UserInfo.Failure) {
        switch failure {
        case .status(let status) where ProviderResponse.isDenial(status): self.init(.refused, failure.raw)
        case .endpointMissing, .endpointAlias, .status, .contentType, .tooLarge, .malformed, .form(.keysUnavailable):
            self.init(.unavailable, failure.raw)
        case .form, .rules, .subjectMissing, .subject: self.init(.invalidToken, failure.raw)
        }
    }

    init(_ broken: IDTokenRules.Broken) {
        switch broken {
        case .keysUnavailable:
            self.init(.unavailable, "id_token_\(broken.rawValue)")
        case .authTimeMissing, .authTimeInFuture, .authTimeTooOld, .notFresh:
            self.init(.notFresh, "id_token_\(broken.rawValue)")
        case .acrMissing, .acr:
            self.init(.assuranceTooLow, "id_token_\(broken.rawValue)")
        case .malformed, .encrypted, .notEncrypted, .encryptionAlgorithm, .encryptionKey, .decryption, .type,
            .algorithm, .unknownKey, .ambiguousKey, .signature, .claims, .claimType, .issuerMissing,
            .issuer, .audienceMissing, .audience, .foreignAudience, .authorizedPartyMissing, .authorizedParty,
            .expiryMissing, .expired, .issuedAtMissing, .issuedInFuture, .issuedTooLongAgo,
            .notYetValid, .nonceMissing, .nonce, .subjectMissing, .subject, .accessTokenHash, .codeHash:
            self.init(.invalidToken, "id_token_\(broken.rawValue)")
        }
    }
}
