import Base
import JOSE

/// Waits, or returns at once when its task is cancelled.
package typealias Sleep = @Sendable (Duration) async -> Void

/// A provider's metadata and keys: fetched when first needed, shared by all callers, kept for an hour.
///
/// - If a refresh fails, the last good copy stays in use, for a day.
/// - After a failure we leave the provider alone for some seconds.
/// - An unknown `kid` or a bad signature causes one fetch, throttled. A caller that comes meanwhile waits for the next.
/// - When an endpoint is gone, the metadata is fetched again, once a minute.
package final class ProviderDirectory: Sendable {
    package let issuer: String
    let now: @Sendable () -> Timestamp
    private let sharedMetadata: SharedDocument<ProviderMetadata>
    private let sharedKeys: SharedDocument<JWKSet>

    package init(
        issuer: String, policy: EndpointPolicy, lifetimes: DirectoryLifetimes = DirectoryLifetimes(),
        fetch: @escaping Fetch, now: @escaping @Sendable () -> Timestamp,
        sleep: @escaping Sleep = { try? await Task.sleep(for: $0) },
        onUnusableKeys: @escaping @Sendable ([UnusableKey]) -> Void = { _ in }
    ) {
        let metadata = SharedDocument(lifetimes: lifetimes, now: now, sleep: sleep) {
            () async throws(ProviderDirectoryError) -> ProviderMetadata in
            try await Self.fetchMetadata(of: issuer, policy: policy, fetch: fetch)
        }
        let report = UnusableKeyReport(tell: onUnusableKeys)
        self.issuer = issuer
        self.now = now
        self.sharedMetadata = metadata
        self.sharedKeys = SharedDocument(lifetimes: lifetimes, now: now, sleep: sleep) {
            () async throws(ProviderDirectoryError) -> JWKSet in
            let cachedURL = try await metadata.document().document.jwksURI
            do throws(ProviderDirectoryError) {
                return try await Self.fetchKeys(at: cachedURL, fetch: fetch, report)
            } catch {
                // The keys may have moved (RFC 9110 §15.5.5, §15.5.11).
                guard error.isGone, metadata.markStale() else { throw error }
                let movedURL = try await metadata.document().document.jwksURI
                guard movedURL != cachedURL else { throw error }
                return try await Self.fetchKeys(at: movedURL, fetch: fetch, report)
            }
        }
    }

    /// When the last good metadata and the last good keys were fetched. Causes no fetch.
    package var metadataFetchedAt: Timestamp? { self.sharedMetadata.fetchedAt }
    package var keysFetchedAt: Timestamp? { self.sharedKeys.fetchedAt }

    package func metadata() async throws(ProviderDirectoryError) -> ProviderMetadata {
        try await self.sharedMetadata.document().document
    }

    /// Notes the response of an endpoint that the metadata names. If the endpoint is gone, the next caller fetches the
    /// metadata again, and judges the issuer and all endpoints anew. Returns whether that will happen.
    package func note(_ response: ProviderResponse) -> Bool { response.isGone && self.sharedMetadata.markStale() }

    /// The keys, if they need no fetch.
    var freshKeys: FetchedDocument<JWKSet>? { self.sharedKeys.fresh }

    package func keys() async throws(ProviderDirectoryError) -> FetchedDocument<JWKSet> {
        try await self.sharedKeys.document()
    }

    /// Returns keys newer than `document`, in which the caller found none that fits. All callers share one fetch.
    package func keysAfterMiss(
        in document: FetchedDocument<JWKSet>, from source: KeyMissSource = .provider
    ) async throws(ProviderDirectoryError) -> FetchedDocument<JWKSet> {
        try await self.sharedKeys.documentAfterMiss(in: document.number, from: source)
    }
}

// MARK: - The two fetches

extension ProviderDirectory {
    /// Discovery 1.0, 4: the path is appended to the issuer, without the issuer's final slash.
    static func metadataURL(of issuer: EndpointURL) -> EndpointURL? {
        let base = issuer.text.hasSuffix("/") ? issuer.text.dropLast() : issuer.text[...]
        return EndpointURL(base + "/.well-known/openid-configuration")
    }

    private static func fetchMetadata(
        of issuer: String, policy: EndpointPolicy, fetch: Fetch
    ) async throws(ProviderDirectoryError) -> ProviderMetadata {
        let url: EndpointURL
        do throws(EndpointPolicyError) {
            url = try policy.issuer(issuer)
        } catch {
            throw .metadata(.refused(.issuer, error))
        }
        guard let url = self.metadataURL(of: url) else { throw .metadata(.refused(.issuer, .url)) }
        let response = try await self.get(.discovery, url, accept: "application/json", fetch: fetch)
        // Whatever its content type: file servers set that, and the document must name the issuer anyway.
        do throws(ProviderMetadataError) {
            return try ProviderMetadata(parsing: response.body, issuer: issuer, policy: policy)
        } catch {
            throw .metadata(error)
        }
    }

    /// Ignores the content type, because providers serve key sets with whatever type their file server sets.
    private static func fetchKeys(
        at url: EndpointURL, fetch: Fetch, _ report: UnusableKeyReport
    ) async throws(ProviderDirectoryError) -> JWKSet {
        let accept = "application/jwk-set+json, application/json"
        let response = try await self.get(.keys, url, accept: accept, fetch: fetch)
        guard let keys = try? JWKSet(parsing: response.body, spelling: .provider) else { throw .keySet }
        report.note(keys.skippedKeys)
        guard !keys.keys.isEmpty else { throw .noUsableKey }
        return keys
    }

    private static func get(
        _ purpose: ProviderRequest.Purpose, _ url: EndpointURL, accept: String, fetch: Fetch
    ) async throws(ProviderDirectoryError) -> ProviderResponse {
        let response: ProviderResponse
        do throws(FetchError) {
            response = try await fetch(
                ProviderRequest(purpose, .get, url, delivery: .idempotent, fields: [Parameter("Accept", accept)]))
        } catch {
            throw .fetch(error)
        }
        guard response.status == 200 else { throw .status(response.status) }
        guard !response.isTooLarge else { throw .tooLarge }
        return response
    }
}
