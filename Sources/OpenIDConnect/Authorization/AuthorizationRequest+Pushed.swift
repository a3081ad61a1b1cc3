// The authorization request that we post before the browser goes to the provider (RFC 9126).

import Base

extension AuthorizationRequest {
    func push(
        _ parameters: [Parameter], _ metadata: ProviderMetadata, _ now: Timestamp
    ) throws(AuthorizationRequestError) -> ProviderRequest {
        // `Client.refusedEndpoint` has said why an endpoint is refused.
        let plain = (try? metadata.pushedAuthorizationRequestEndpoint.get()) ?? nil
        let alias: EndpointURL?
        do throws(ClientAuthenticationError) {
            alias = try self.client.alias(\.pushedAuthorizationRequest, of: metadata)
        } catch {
            throw AuthorizationRequestError(error)
        }
        guard let endpoint = alias ?? plain else { throw .pushEndpointMissing }
        do throws(ClientAuthenticationError) {
            return try AuthenticatedForm(parameters: parameters, client: self.client)
                .request(.pushedAuthorization, to: endpoint, of: metadata, now: now)
        } catch {
            throw AuthorizationRequestError(error)
        }
    }

    /// The URL for the browser afterwards. The provider knows everything else already (RFC 9126 §4).
    package func url(pushed authorization: PushedAuthorization, metadata: ProviderMetadata) -> String {
        var query = FormQuery(of: metadata.authorizationEndpoint)
        query.append("client_id", self.client.clientID)
        query.append("request_uri", authorization.requestURI)
        return query.url
    }
}
