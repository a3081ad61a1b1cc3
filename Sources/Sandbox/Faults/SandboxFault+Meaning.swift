/// The menu of faults: each one in a few words, and what it does.
import JOSE

extension SandboxFault {
    /// Somebody else, wherever a fault names the wrong party.
    static let stranger = "https://somebody-else.example"

    var meaning: FaultMeaning {
        switch self {
        case .accessDenied: .init("error=access_denied", .authorizationResponse { $0.deny("access_denied") })
        case .serverError: .init("error=server_error", .authorizationResponse { $0.deny("server_error") })
        case .loginRequired: .init("error=login_required", .authorizationResponse { $0.deny("login_required") })
        case .errorWithWrongState:
            .init(
                "error=access_denied with a wrong state",
                .authorizationResponse {
                    $0.deny("access_denied")
                    $0.alterState()
                })
        case .errorWithoutIssuer:
            .init(
                "error=access_denied without iss",
                .authorizationResponse {
                    $0.deny("access_denied")
                    $0["iss"] = nil
                })
        case .wrongState: .init("state: wrong", .authorizationResponse { $0.alterState() })
        case .missingState: .init("state: missing", .authorizationResponse { $0["state"] = nil })
        case .wrongResponseIssuer: .init("iss: wrong", .authorizationResponse { $0["iss"] = Self.stranger })
        case .missingResponseIssuer: .init("iss: missing", .authorizationResponse { $0["iss"] = nil })
        case .missingCode: .init("code: missing", .authorizationResponse { $0["code"] = nil })
        case .repeatedCode: .init("code: twice in one answer", .authorizationResponse { $0.doubleUp("code") })
        case .repeatedState: .init("state: twice in one answer", .authorizationResponse { $0.doubleUp("state") })
        case .answeredTwice: .init("the same answer, sent twice", .authorizationResponse { $0.isSentTwice = true })

        case .tokenInvalidGrant: .init("error=invalid_grant", .tokenAnswer { $0 = .error("invalid_grant") })
        case .tokenServerError: .init("status 500", .tokenAnswer { $0 = .internalServerError })
        case .tokenWrongContentType: .init("content type text/html", .tokenAnswer { $0.contentType = "text/html" })
        case .tokenBrokenJSON: .init("JSON cut off", .tokenAnswer { $0.cutOff() })
        case .tokenHuge: .init("an answer of 8 MB", .tokenAnswer { $0.members["padding"] = .string(Self.padding) })
        case .tokenSlow: .init("answers too late", .tokenAnswer { $0.delivery = .late })
        case .tokenDead: .init("closes without an answer", .tokenAnswer { $0.delivery = .never })
        case .tokenWithoutIDToken: .init("no id_token", .tokenAnswer { $0.members["id_token"] = nil })
        case .tokenTypeUnknown: .init("token_type: mac", .tokenAnswer { $0.members["token_type"] = "mac" })
        case .tokenTypeInOddCase: .init("token_type: bEARER", .tokenAnswer { $0.members["token_type"] = "bEARER" })
        case .expiresInMissing: .init("no expires_in", .tokenAnswer { $0.members["expires_in"] = nil })
        case .expiresInString: .init("expires_in as a string", .tokenAnswer { $0.members["expires_in"] = "300" })

        case .wrongIssuer: .init("iss: wrong", .idToken { $0.claims["iss"] = .string(Self.stranger) })
        case .missingIssuer: .init("iss: missing", .idToken { $0.claims["iss"] = nil })
        case .wrongAudience: .init("aud: wrong", .idToken { $0.claims["aud"] = .string(Self.stranger) })
        case .missingAudience: .init("aud: missing", .idToken { $0.claims["aud"] = nil })
        case .secondAudience:
            .init(
                "aud: somebody else too, no azp",
                .idToken { $0.claims["aud"] = [.string($0.clientID), .string(Self.stranger)] })
        case .wrongAuthorizedParty:
            .init(
                "aud: somebody else too, who is the azp",
                .idToken {
                    $0.claims["aud"] = [.string($0.clientID), .string(Self.stranger)]
                    $0.claims["azp"] = .string(Self.stranger)
                })
        case .audienceAsArray: .init("aud: array of one", .idToken { $0.claims["aud"] = [.string($0.clientID)] })
        case .wrongNonce: .init("nonce: wrong", .idToken { $0.claims["nonce"] = "a-nonce-nobody-sent" })
        case .missingNonce: .init("nonce: missing", .idToken { $0.claims["nonce"] = nil })
        case .expired: .init("exp: ten minutes ago", .idToken { $0.set("exp", .seconds(-600)) })
        case .missingExpiry: .init("exp: missing", .idToken { $0.claims["exp"] = nil })
        case .missingIssuedAt: .init("iat: missing", .idToken { $0.claims["iat"] = nil })
        case .issuedInTheFuture:
            .init(
                "iat: in an hour",
                .idToken {
                    $0.set("iat", .seconds(3600))
                    $0.set("exp", .seconds(3900))
                })
        case .issuedLongAgo: .init("iat: two days ago", .idToken { $0.set("iat", .seconds(-172_800)) })
        case .missingSubject: .init("sub: missing", .idToken { $0.claims["sub"] = nil })
        case .wrongAccessTokenHash:
            .init(
                "at_hash: wrong", .idToken { $0.claims["at_hash"] = .string($0.accessTokenHash(of: "another token")) })
        case .missingAccessTokenHash: .init("at_hash: missing", .idToken { $0.claims["at_hash"] = nil })
        case .staleAuthentication: .init("auth_time: yesterday", .idToken { $0.set("auth_time", .seconds(-86_400)) })
        case .missingAuthenticationTime: .init("auth_time: missing", .idToken { $0.claims["auth_time"] = nil })
        case .wrongContextClass: .init("acr: wrong", .idToken { $0.claims["acr"] = "urn:sandbox:acr:none-at-all" })

        case .badSignatureRS256: .init("bad RS256 signature", .idToken { $0.spoil(.rs256) })
        case .badSignatureES256: .init("bad ES256 signature", .idToken { $0.spoil(.es256) })
        case .unsigned: .init("alg: none", .idToken { $0.signature = .absent })
        case .otherAlgorithm: .init("signed with the other algorithm", .idToken { $0.changeAlgorithm() })
        case .publicKeyAsSecret: .init("HS256 with the public key", .idToken { $0.signature = .publicKeyAsSecret })
        case .unknownKeyID: .init("kid: unknown", .idToken { $0.key = .unpublished })
        case .noKeyIDSingleKey: .init("kid: missing, one key fits", .idToken { $0.namesKey = false })
        case .noKeyIDSeveralKeys:
            .init(
                "kid: missing, two keys fit",
                .idToken {
                    $0.namesKey = false
                    $0.key = .second
                })
        case .accessTokenType: .init("typ: at+jwt", .idToken { $0.type = "at+jwt" })
        case .rotationBeforeSigning: .init("keys change just before signing", .idToken { $0.key = .fresh })
        case .rotationAfterSigning: .init("keys change after this login", .idToken { $0.rotatesAfterwards = true })

        case .userinfoWrongSubject: .init("sub: wrong", .userinfo { $0.members["sub"] = "sandbox-somebody-else" })
        case .userinfoMissingSubject: .init("sub: missing", .userinfo { $0.members["sub"] = nil })
        case .userinfoServerError: .init("status 500", .userinfo { $0 = .internalServerError })

        case .discoveryIssuerMismatch:
            .init("another issuer in the document", .discovery { $0["issuer"] = .string(Self.stranger) })
        }
    }

    private static let padding = String(repeating: "x", count: 8 << 20)
}
