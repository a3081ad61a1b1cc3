import Base
import OpenIDConnect

/// A broker that speaks OpenID Connect: starts authorization attempts and validates every response.
///
/// It stores no login. What a kind of broker does differently from the specifications is in that kind's own file.
package final class OpenIDBroker: Broker {
    package let id: String
    let endpoints: BrokerEndpoints

    package init(_ settings: BrokerSettings, fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp) {
        self.id = settings.id
        self.endpoints = BrokerEndpoints(settings, fetch: fetch, now: now)
    }

    /// For monitoring: when we last fetched the broker's metadata and keys.
    package var metadataFetchedAt: Timestamp? { self.endpoints.directory.metadataFetchedAt }
    package var keysFetchedAt: Timestamp? { self.endpoints.directory.keysFetchedAt }

    /// Our registration at the broker.
    var client: Client { self.settings.client }

    var settings: BrokerSettings { self.endpoints.settings }

    /// The redirect URI, if it is a link that opens the app.
    package var appRedirectURI: String? { self.settings.redirectsToApp ? self.client.redirectURI : nil }
}
