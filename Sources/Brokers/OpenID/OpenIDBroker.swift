/// A broker that speaks OpenID Connect: asks for a login and judges every answer.
///
/// It keeps no login. What a kind of broker does differently from the specifications stands in that kind's own file.
import Base
import OpenIDConnect

package final class OpenIDBroker: Broker {
    package let id: String
    let settings: BrokerSettings
    let directory: ProviderDirectory
    let fetch: Fetch
    let now: @Sendable () -> Timestamp

    package init(_ settings: BrokerSettings, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp) {
        self.id = settings.id
        self.settings = settings
        self.fetch = fetch
        self.now = now
        self.directory = ProviderDirectory(
            issuer: settings.issuer, policy: settings.endpoints, fetch: fetch, now: now)
    }

    /// For whoever watches: how old is what we believe of the broker?
    package var metadataFetchedAt: Timestamp? { self.directory.metadataFetchedAt }
    package var keysFetchedAt: Timestamp? { self.directory.keysFetchedAt }

    var client: Client { self.settings.client }

    /// The redirect URI, if it is a link that opens the app.
    package var appRedirectURI: String? { self.settings.redirectsToApp ? self.client.redirectURI : nil }
}

// MARK: - Asking, with failures in our words

extension OpenIDBroker {
    func metadata() async throws(BrokerFailure) -> ProviderMetadata {
        do throws(ProviderDirectory.Failure) { return try await self.directory.metadata() } catch {
            throw BrokerFailure(error)
        }
    }

    func ask(_ request: ProviderRequest) async throws(BrokerFailure) -> ProviderResponse {
        let request = request.adding(self.settings.kind.fields(for: request.purpose))
        do throws(FetchError) { return try await self.fetch(request) } catch {
            throw BrokerFailure(error, of: request.purpose)
        }
    }

    func tokens(
        _ judge: () throws(TokenResponse.Failure) -> TokenResponse
    ) throws(BrokerFailure) -> TokenResponse {
        do throws(TokenResponse.Failure) { return try judge() } catch { throw BrokerFailure(error) }
    }
}
