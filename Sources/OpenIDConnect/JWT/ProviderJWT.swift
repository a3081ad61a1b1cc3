/// A JWT that a provider signed; what it says is not judged yet.
import JOSE
import StrictJSON

struct ProviderJWT: Sendable {
    let claims: JSON.Object
    let algorithm: SignatureAlgorithm
}

extension ProviderDirectory {
    /// Decrypts the JWT where that was agreed, and verifies it with a key of the provider.
    func verify(_ compact: String, as form: JWTForm) async throws(JWTForm.Broken) -> ProviderJWT {
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
            throw JWTForm.Broken(error)
        }
    }
}
