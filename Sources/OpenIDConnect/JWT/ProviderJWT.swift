/// A JWT that a provider signed. Its claims are not validated yet.
import JOSE
import StrictJSON

struct ProviderJWT: Sendable {
    let claims: JSON.Object
    let algorithm: SignatureAlgorithm
}

extension ProviderDirectory {
    /// Decrypts the JWT if that was agreed, and verifies it with a key of the provider.
    func verify(_ compact: String, as form: JWTFormat) async throws(JWTFormatError) -> ProviderJWT {
        let token = try form.token(compact)
        try form.checkType(token.header.type)
        try form.checkAlgorithm(token.header.algorithm)
        let verified: VerifiedJWS
        if let known = try self.verifyAtOnce(token, allowing: form.algorithms) {
            verified = known
        } else {
            verified = try await self.verify(token, allowing: form.algorithms)
        }
        do throws(JWSError) {
            return ProviderJWT(claims: try verified.claims(), algorithm: verified.algorithm)
        } catch {
            throw JWTFormatError(error)
        }
    }
}

// MARK: - The key

/// Finds the key of a signature among the provider's keys, with a throttled fetch when it is unknown.
extension ProviderDirectory {
    /// Verifies with the cached keys, so that most callers need not wait. Returns nil when a fetch is needed first.
    func verifyAtOnce(
        _ token: CompactJWS, allowing algorithms: Set<SignatureAlgorithm>
    ) throws(JWTFormatError) -> VerifiedJWS? {
        guard let known = self.freshKeys else { return nil }
        do throws(JWSError) {
            return try token.verified(with: known.document, allowing: algorithms)
        } catch {
            guard token.mayBeOfANewKey(error) else { throw JWTFormatError(error) }
            return nil
        }
    }

    func verify(
        _ token: CompactJWS, allowing algorithms: Set<SignatureAlgorithm>
    ) async throws(JWTFormatError) -> VerifiedJWS {
        do {
            let known = try await self.keys()
            do throws(JWSError) {
                return try token.verified(with: known.document, allowing: algorithms)
            } catch {
                guard token.mayBeOfANewKey(error) else { throw error }
                let newer = try await self.keysAfterMiss(in: known)
                return try token.verified(with: newer.document, allowing: algorithms)
            }
        } catch let error as JWSError {
            throw JWTFormatError(error)
        } catch {
            throw .keysUnavailable
        }
    }
}

extension CompactJWS {
    /// Without a `kid` we cannot see that a key is new: the old key just fails to verify.
    fileprivate func mayBeOfANewKey(_ failure: JWSError) -> Bool {
        switch failure {
        case .unknownKey: true
        case .badSignature: self.header.keyID == nil
        case .tooLarge, .malformed, .criticalHeader, .algorithmNotAllowed, .ambiguousKey, .badClaims: false
        }
    }
}
