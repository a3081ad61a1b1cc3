import JOSE
import StrictJSON

/// A JWT that a provider signed. Its claims are not validated yet.
struct ProviderJWT: Sendable {
    let claims: JSON.Object
    let algorithm: SignatureAlgorithm
}

extension ProviderDirectory {
    /// Decrypts the JWT if that was agreed, and verifies it with a key of the provider.
    func verify(
        _ compact: String, as form: JWTFormat, from source: KeyMissSource = .provider
    ) async throws(VerificationError<Never>) -> ProviderJWT {
        let token: CompactJWS
        do throws(JWTFormatError) {
            token = try form.token(compact)
            try form.checkType(token.header.type)
            try form.checkAlgorithm(token.header.algorithm)
        } catch {
            throw .form(error)
        }
        // Most tokens need no fetch, and so no wait.
        var verdict = self.freshKeys.map { Self.judge(token, $0, form.algorithms) }
        if verdict?.mayChange ?? true { verdict = try await self.judge(token, form.algorithms, source) }
        switch verdict ?? .failure(.unknownKey) {
        case .failure(let error): throw .form(JWTFormatError(error))
        case .success(let verified):
            guard let claims = verified.claims() else { throw .form(.claims) }
            return ProviderJWT(claims: claims, algorithm: verified.algorithm)
        }
    }
}

// MARK: - The key

/// Finds the key of a signature among the provider's keys, with a throttled fetch when none fits.
extension ProviderDirectory {
    private typealias Verdict = Result<VerifiedJWS, SignatureError>

    private static func judge(
        _ token: CompactJWS, _ keys: FetchedDocument<JWKSet>, _ algorithms: Set<SignatureAlgorithm>
    ) -> Verdict {
        do throws(SignatureError) {
            return .success(try token.verified(with: keys.document, allowing: algorithms))
        } catch {
            return .failure(error)
        }
    }

    /// Judges with the keys that we have, and then with newer ones if the verdict may change. If there are no newer
    /// ones, a bad signature stays a bad signature, and for an unknown key the reason is reported.
    private func judge(
        _ token: CompactJWS, _ algorithms: Set<SignatureAlgorithm>, _ source: KeyMissSource
    ) async throws(VerificationError<Never>) -> Verdict {
        let askedAt = self.now()
        var keys: FetchedDocument<JWKSet>
        do throws(ProviderDirectoryError) { keys = try await self.keys() } catch { throw .keysUnavailable(error) }
        var verdict = Self.judge(token, keys, algorithms)
        // A fetch that had begun before we asked may have missed a change, so one more may help. It is as throttled as
        // the first.
        var isFirst = true
        while verdict.mayChange, isFirst || keys.begunAt < askedAt {
            let isLast = !isFirst
            isFirst = false
            do throws(ProviderDirectoryError) {
                keys = try await self.keysAfterMiss(in: keys, from: source)
            } catch {
                // After a newer set the next one was only a second chance.
                guard !isLast, case .failure(.unknownKey) = verdict else { return verdict }
                throw .keysUnavailable(error)
            }
            verdict = Self.judge(token, keys, algorithms)
            if isLast { break }
        }
        return verdict
    }
}

extension Result where Success == VerifiedJWS, Failure == SignatureError {
    /// Whether newer keys may give another verdict. A provider may publish a new key under the name of the old one, and
    /// without a name we cannot see at all that a key is new.
    fileprivate var mayChange: Bool {
        guard case .failure(let failure) = self else { return false }
        switch failure {
        case .unknownKey, .badSignature: return true
        case .algorithmNotAllowed, .ambiguousKey: return false
        }
    }
}
