// Requests of Foundation with an access token, for Apple's platforms only.

#if canImport(Darwin)
import Foundation

extension SessionClient {
    /// Returns the request with `Authorization` and `DPoP` (see `authorizationFields`). Call it again for a repetition.
    public func authorize(_ request: URLRequest, nonce: String? = nil) async throws(SessionError) -> URLRequest {
        guard let url = request.url else { return request }
        let fields = try await self.authorizationFields(method: request.httpMethod ?? "GET", url: url, nonce: nonce)
        var request = request
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}
#endif
