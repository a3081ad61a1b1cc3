/// Finds the key of a signature among those of the provider, with a throttled fetch when it is unknown.
import JOSE

extension ProviderDirectory {
    /// With the keys that are at hand, which most callers need not wait for. Nil when the provider is to be asked first.
    func verifyAtOnce(
        _ token: CompactJWS, allowing algorithms: Set<SignatureAlgorithm>
    ) throws(JWTForm.Broken) -> VerifiedJWS? {
        guard let known = self.freshKeys else { return nil }
        do throws(JWSError) {
            return try token.verified(with: known.document, allowing: algorithms)
        } catch {
            guard token.mayBeOfANewKey(error) else { throw JWTForm.Broken(error) }
            return nil
        }
    }

    func verify(
        _ token: CompactJWS, allowing algorithms: Set<SignatureAlgorithm>
    ) async throws(JWTForm.Broken) -> VerifiedJWS {
        do {
            let known = try await self.keys()
            do throws(JWSError) {
                return try token.verified(with: known.document, allowing: algorithms)
            } catch {
                guard token.mayBeOfANewKey(error) else { throw error }
                let newer = try await self.keysAfterMiss(in: known)
                return try token.verified(with: newer.document, allowing: algorithms)
            }
        } catch let failure as JWSError {
            throw JWTForm.Broken(failure)
        } catch {
            throw .keysUnavailable
        }
    }
}

extension CompactJWS {
    /// Without a `kid` a new key is not seen to be unknown: the old one just does not verify.
    fileprivate func mayBeOfANewKey(_ failure: JWSError) -> Bool {
        switch failure {
        case .unknownKey: true
        case .badSignature: self.header.keyID == nil
        case .tooLarge, .malformed, .criticalHeader, .algorithmNotAllowed, .ambiguousKey, .badClaims: false
        }
    }
}
