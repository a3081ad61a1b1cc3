/// The authorization request as we post it, ahead of the browser (RFC 9126).
import Base

extension AuthorizationRequest {
    func push(
        _ parameters: [Parameter], _ metadata: ProviderMetadata, _ now: Timestamp
    ) throws(AuthorizationRequestError) -> ProviderRequest {
        guard let plain = metadata.pushedAuthorizationRequestEndpoint else { throw .pushEndpointMissing }
        do throws(ClientAuthenticationError) {
            let endpoint = try self.client.endpoint(plain, or: \.pushedAuthorizationRequest, of: metadata)
            return try AuthenticatedForm(parameters: parameters, client: self.client)
                .request(.pushedAuthorization, to: endpoint, of: metadata, now: now)
        } catch {
            throw AuthorizationRequestError(error)
        }
    }

    /// Where to send the browser afterwards: everything else is known already (RFC 9126 §4).
    package func url(pushed: PushedAuthorization, metadata: ProviderMetadata) -> String {
        var query = FormQuery(of: metadata.authorizationEndpoint)
        query.append("client_id", self.client.clientID)
        query.append("request_uri", pushed.requestURI)
        return query.url
    }
}
