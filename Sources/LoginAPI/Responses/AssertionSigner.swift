import Base
import Brokers
import JOSE
import Logins
import StrictJSON

/// Tells an app's own API who logged in: a signed JWT that any library verifies with `/.well-known/jwks.json`.
package struct AssertionSigner: Sendable {
    static let lifetime = 300

    private let signer: JWTSigner
    private let issuer: String

    /// `issuer` is the public URL.
    package init(_ signer: JWTSigner, issuer: String) {
        self.signer = signer
        self.issuer = issuer
    }

    /// Returns the assertion of a completed login, or nil if there is nothing to assert. Each delivery is signed anew,
    /// and not on the queue that serves connections: an RSA signature takes a quarter of a millisecond.
    func assertion(_ view: LoginView, at now: Timestamp) async -> String? {
        guard let result = view.result, let terms = view.assertion else { return nil }
        return await withTaskExecutorPreference(globalConcurrentExecutor) {
            guard let signedJWT = try? self.signer.sign(self.claims(result, of: view, terms, at: now), type: terms.type)
            else { return nil }
            guard let encrypter = terms.encrypter else { return signedJWT }
            // Nested (RFC 7519 §5.2): signed, then encrypted. If the encryption fails, we send no assertion.
            return try? encrypter.encrypt(Array(signedJWT.utf8), contentType: "JWT")
        }
    }

    private func claims(
        _ result: LoginResult, of view: LoginView, _ terms: AssertionTerms, at now: Timestamp
    ) -> JSON.Object {
        let identity = result.identity
        var claims: JSON.Object = [
            "iss": .string(self.issuer), "aud": .string(terms.audience), "sub": .string(identity.account),
            "iat": .integer(now.seconds), "exp": .integer(now.seconds + Self.lifetime),
            "jti": .string(view.id.description), "provider": .string(identity.provider),
            "broker_iss": .string(identity.issuer), "broker_sub": .string(identity.subject),
            "assurance": .string(identity.assurance.rawValue),
            "proof": .string((view.proof ?? SameDeviceProof.none).rawValue),
        ]
        if let account = identity.previousAccount { claims["previous_sub"] = .string(account) }
        if let acr = identity.acr { claims["acr"] = .string(acr) }
        if let time = identity.authenticatedAt { claims["auth_time"] = .integer(time.seconds) }
        if !identity.methods.isEmpty { claims["amr"] = .array(identity.methods.map { .string($0) }) }
        if let nonce = result.nonce { claims["nonce"] = .string(nonce) }
        for claim in terms.claims { claims[claim.rawValue] = identity.value(of: claim) }
        return claims
    }
}

extension Identity {
    /// Nil if the broker gives no value. The broker's own claims are one member, so that none replaces another member.
    fileprivate func value(of claim: AssertionClaim) -> JSON? {
        switch claim {
        case .name: self.name.map { .string($0) }
        case .givenName: self.givenName.map { .string($0) }
        case .familyName: self.familyName.map { .string($0) }
        case .birthDate: self.birthDate.map { .string($0) }
        case .nationalID: self.nationalID.map { ["type": .string($0.type), "value": .string($0.value)] }
        case .country: self.country.map { .string($0) }
        case .claims: .object(self.claims)
        }
    }
}
