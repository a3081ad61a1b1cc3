/// What came of an authorization request, for tests that know which it must be.
import OpenIDConnect
import Testing

extension AuthorizationRequest {
    func url(_ metadata: ProviderMetadata) throws -> String {
        let authorization = try self.authorization(metadata: metadata, now: Example.now)
        guard case .url(let url) = authorization else {
            Issue.record("was to be pushed")
            return ""
        }
        return url
    }

    /// The request that pushes it.
    func push(_ metadata: ProviderMetadata) throws -> ProviderRequest? {
        let authorization = try self.authorization(metadata: metadata, now: Example.now)
        guard case .push(let request) = authorization else { return nil }
        return request
    }
}
