import Base
import EventLoop
import JOSE
import Links
import OpenIDConnect
import Outbound
import ServerConfiguration

/// Asks the brokers of a configuration what can be asked without a login: do they respond, and do they support what is
/// configured? It also reads our own link files from outside, and checks the database.
///
/// Metadata and keys go through the same `ProviderDirectory` as in the server, so what passes here passes there.
package struct OnlineCheck: Sendable {
    let configuration: Configuration
    let now: @Sendable () -> Timestamp
    /// A file with the authority of `link_url`, which may then have a private address. Phones trust only public
    /// authorities.
    private let linkAuthority: String?
    /// Whether we ask token endpoints if they accept our credentials, and authorization endpoints if they know our URIs.
    private let probesCredentials: Bool
    /// The variable that names a proxy for https, which we do not use.
    private let proxyVariable: String?

    /// `variables` are those of the process.
    package init(
        _ configuration: Configuration, linkAuthority: String? = nil, probesCredentials: Bool = true,
        variables: [String: String] = [:],
        now: @escaping @Sendable () -> Timestamp = WallClock.now
    ) {
        self.configuration = configuration
        self.linkAuthority = linkAuthority
        self.probesCredentials = probesCredentials
        self.proxyVariable = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"].first {
            variables[$0].map { !$0.isEmpty } ?? false
        }
        self.now = now
    }

    /// One line for each request that not everyone may send. Print them before `run`.
    package var announcements: [String] {
        guard self.probesCredentials else { return [] }
        return self.configuration.brokers.filter { $0.digid == nil }.flatMap {
            [CredentialProbe.announcement($0.id, $0.clientID), URIProbe.announcement($0.id)]
        }
    }

    /// Checks the store, every broker and `link_url`, and reports each as soon as it is done. Throws when the system
    /// gives us no loop.
    package func run(tell: ([Finding]) -> Void) async throws(SystemCallError) {
        let loops = try EventLoop.makeLoops(count: 1)
        tell(await self.databaseFindings(loops[0]))
        for broker in self.configuration.brokers { tell(await self.findings(broker, loops[0])) }
        if let check = LinkFileCheck(AppLinks(self.configuration)) {
            tell(await check.findings(loops[0], authority: self.linkAuthority, now: self.now))
        }
        for loop in loops { loop.close() }
    }

    private func findings(_ broker: Configuration.Broker, _ loop: EventLoop) async -> [Finding] {
        var list = FindingList(broker.id)
        let settings = self.configuration.outbound(to: broker)
        do throws(OperatorError) {
            let fetcher = try OnlineFetcher(settings, timeout: broker.timeout, loop: loop, now: self.now)
            if let expiry = fetcher.clientCertificateExpiry {
                list.note(expiry: expiry, of: "our certificate", as: "client_certificate_file", now: self.now())
            }
            await self.ask(broker, fetcher, &list)
            await fetcher.close()
            if let proxyVariable, fetcher.failsToConnect {
                list.warn(
                    proxyVariable,
                    "this server uses no proxy, because it would see who logs in where: let this machine reach the "
                        + "broker's hosts directly")
            }
        } catch {
            let hasFiles = settings.clientCertificateFile != nil || settings.caFile != nil
            list.fail(
                "connection",
                hasFiles ? "\(error): check client_certificate_file, client_key_file and ca_file" : "\(error)")
        }
        return list.all
    }

    private func ask(_ broker: Configuration.Broker, _ fetcher: OnlineFetcher, _ list: inout FindingList) async {
        // The resolver has no metadata, so we only connect to it.
        if let digid = broker.digid {
            if let resolver = EndpointURL(digid.resolver) { await self.connect(to: resolver, fetcher, &list) }
            return
        }
        if let expiry = ClientSecretExpiry.seconds(of: self.configuration.client(of: broker).authentication) {
            list.note(expiry: expiry, of: "our client secret, a JWT,", as: "client_secret", now: self.now())
        }
        let policy = self.configuration.endpoints(of: broker)
        let directory = ProviderDirectory(issuer: broker.issuer, policy: policy, fetch: fetcher.fetch, now: self.now)
        do throws(ProviderDirectoryError) {
            let metadata = try await self.metadata(directory, of: broker)
            list.note(fetcher.answer(to: .discovery), from: broker.issuer, leeway: broker.clockLeeway)
            list.pass("discovery", "the issuer is \(metadata.issuer), its endpoints are allowed")
            for endpoint in metadata.endpointsElsewhere(for: broker) {
                await self.connect(to: endpoint, fetcher, &list)
            }
            let document = fetcher.answer(to: .discovery)?.json ?? .null
            FeatureFindings(broker, of: self.configuration, metadata, document).add(to: &list)
            await self.askForKeys(broker, metadata, directory, fetcher, &list)
            if self.probesCredentials {
                let probe = CredentialProbe(client: self.configuration.client(of: broker))
                await probe.add(metadata, fetcher, to: &list)
                let uris = URIProbe(
                    client: self.configuration.client(of: broker), uris: self.configuration.uris(of: broker))
                await uris.add(metadata, fetcher, to: &list)
            }
        } catch {
            list.note(fetcher.answer(to: .discovery), from: broker.issuer, leeway: broker.clockLeeway)
            DiscoveryFindings(broker.issuer, policy, fetcher.answer(to: .discovery)?.json).add(error, to: &list)
        }
    }

    /// Returns the metadata if every endpoint that this configuration uses is allowed.
    private func metadata(
        _ directory: ProviderDirectory, of broker: Configuration.Broker
    ) async throws(ProviderDirectoryError) -> ProviderMetadata {
        let metadata = try await directory.metadata()
        let usesUserInfo = self.configuration.providers.contains { $0.brokerID == broker.id && $0.usesUserInfo }
        let client = self.configuration.client(of: broker)
        if let refusal = client.refusedEndpoint(of: metadata, usesUserInfo: usesUserInfo) { throw .metadata(refusal) }
        return metadata
    }

    /// A host other than the issuer's has its own certificate.
    private func connect(to endpoint: EndpointURL, _ fetcher: OnlineFetcher, _ list: inout FindingList) async {
        do throws(OutboundError) {
            // Any response to a GET shows that the host is there.
            list.note(try await fetcher.get(endpoint.text), from: endpoint.origin, leeway: nil)
        } catch {
            list.note(error, as: "connection")
        }
    }

    private func askForKeys(
        _ broker: Configuration.Broker, _ metadata: ProviderMetadata, _ directory: ProviderDirectory,
        _ fetcher: OnlineFetcher, _ list: inout FindingList
    ) async {
        let allowedAlgorithms = Set(broker.idTokenAlgorithms).filter {
            metadata.idTokenAlgorithms?.contains($0.rawValue) ?? true
        }
        do throws(ProviderDirectoryError) {
            let keys = try await directory.keys().document
            KeyFindings(allowedAlgorithms, keys, fetcher.answer(to: .keys)?.json).add(to: &list)
        } catch {
            KeyFindings(allowedAlgorithms, JWKSet([]), fetcher.answer(to: .keys)?.json).add(error, to: &list)
        }
    }
}

extension ProviderMetadata {
    /// Returns one endpoint of each origin that the server calls, except the issuer's own.
    fileprivate func endpointsElsewhere(for broker: Configuration.Broker) -> [EndpointURL] {
        var endpoints = [self.tokenEndpoint, self.jwksURI]
        var namedEndpoints = [self.userinfoEndpoint]
        if broker.requestStyle.isPushed { namedEndpoints.append(self.pushedAuthorizationRequestEndpoint) }
        if broker.authentication.needsCertificate {
            let aliases = self.mtlsEndpointAliases
            namedEndpoints += [aliases.token, aliases.pushedAuthorizationRequest, aliases.userinfo]
        }
        endpoints += namedEndpoints.compactMap { (try? $0.get()) ?? nil }
        let own = EndpointURL(self.issuer)?.origin
        return endpoints.reduce(into: []) { result, endpoint in
            guard endpoint.origin != own, !result.contains(where: { $0.origin == endpoint.origin }) else { return }
            result.append(endpoint)
        }
    }
}
