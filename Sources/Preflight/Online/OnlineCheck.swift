/// Asks the brokers of a configuration what can be asked without a login: do they answer, and do they do what is configured?
/// And reads our own link files, from outside, and looks whether the database is what it should be.
///
/// Metadata and keys go through the same `ProviderDirectory` as in the server, so what passes here passes there.
import Base
import EventLoop
import JOSE
import Links
import OpenIDConnect
import Outbound
import ServerConfiguration

package struct OnlineCheck: Sendable {
    let configuration: Configuration
    let now: @Sendable () -> Timestamp
    /// A file with the authority of `link_url`, which then may have a private address. Phones believe public ones only.
    private let linkAuthority: String?
    /// Whether token endpoints are asked if they take our credentials.
    private let probesCredentials: Bool

    package init(
        _ configuration: Configuration, linkAuthority: String? = nil, probesCredentials: Bool = true,
        now: @escaping @Sendable () -> Timestamp = WallClock.now
    ) {
        self.configuration = configuration
        self.linkAuthority = linkAuthority
        self.probesCredentials = probesCredentials
        self.now = now
    }

    /// What is sent besides questions that anybody may ask, a line each: to be shown before `run`.
    package var announcements: [String] {
        guard self.probesCredentials else { return [] }
        return self.configuration.brokers.filter { $0.digid == nil }.map {
            CredentialProbe.announcement($0.id, $0.clientID)
        }
    }

    /// Everything about every broker and `link_url`, each told as soon as it is known. Throws when the system gives us no loop.
    package func run(tell: ([Finding]) -> Void) async throws(SystemCallError) {
        let loops = try EventLoop.makeLoops(count: 1)
        tell(await self.databaseFindings())
        for broker in self.configuration.brokers { tell(await self.findings(broker, loops[0])) }
        if let check = LinkFileCheck(AppLinks(self.configuration)) {
            tell(await check.findings(loops[0], authority: self.linkAuthority, now: self.now))
        }
        for loop in loops { loop.close() }
    }

    private func findings(_ broker: Configuration.Broker, _ loop: EventLoop) async -> [Finding] {
        var list = FindingList(broker.id)
        do throws(OutboundError) {
            let settings = self.configuration.outbound(to: broker)
            let asking = try OnlineAsking(settings, timeout: broker.timeout, loop: loop, now: self.now)
            if let expiry = asking.clientCertificateExpiry {
                list.note(expiry: expiry, of: "our certificate", as: "client_certificate_file", now: self.now())
            }
            await self.ask(broker, asking, &list)
            await asking.close()
        } catch {
            list.note(error, as: "connection")
        }
        return list.all
    }

    private func ask(_ broker: Configuration.Broker, _ asking: OnlineAsking, _ list: inout FindingList) async {
        // It has no metadata: it is there, or it is not.
        if let digid = broker.digid {
            if let resolver = EndpointURL(digid.resolver) { await self.connect(to: resolver, asking, &list) }
            return
        }
        let policy = self.configuration.endpoints(of: broker)
        let directory = ProviderDirectory(issuer: broker.issuer, policy: policy, fetch: asking.fetch, now: self.now)
        do throws(ProviderDirectoryError) {
            let metadata = try await directory.metadata()
            list.note(asking.answer(to: .discovery), from: broker.issuer, leeway: broker.clockLeeway)
            list.ok("discovery", "the issuer is \(metadata.issuer), its endpoints are allowed")
            for endpoint in metadata.endpointsElsewhere(for: broker) { await self.connect(to: endpoint, asking, &list) }
            let document = asking.answer(to: .discovery)?.json ?? .null
            FeatureFindings(broker, self.configuration.decryptionKeys, metadata, document).add(to: &list)
            await self.askForKeys(broker, metadata, directory, asking, &list)
            if self.probesCredentials {
                let probe = CredentialProbe(client: self.configuration.client(of: broker))
                await probe.add(metadata, asking, to: &list)
            }
        } catch {
            list.note(asking.answer(to: .discovery), from: broker.issuer, leeway: broker.clockLeeway)
            DiscoveryFindings(broker.issuer, policy, asking.answer(to: .discovery)?.json).add(error, to: &list)
        }
    }

    /// Another host than the issuer's has a certificate of its own.
    private func connect(to endpoint: EndpointURL, _ asking: OnlineAsking, _ list: inout FindingList) async {
        do throws(OutboundError) {
            // Whatever it says to a GET: it is there.
            list.note(try await asking.get(endpoint.text), from: endpoint.origin, leeway: nil)
        } catch {
            list.note(error, as: "connection")
        }
    }

    private func askForKeys(
        _ broker: Configuration.Broker, _ metadata: ProviderMetadata, _ directory: ProviderDirectory,
        _ asking: OnlineAsking, _ list: inout FindingList
    ) async {
        let allowed = broker.idTokenAlgorithms.filter { metadata.idTokenAlgorithms?.contains($0.rawValue) ?? true }
        do throws(ProviderDirectoryError) {
            let keys = try await directory.keys().document
            KeyFindings(allowed, keys, asking.answer(to: .keys)?.json).add(to: &list)
        } catch {
            KeyFindings(allowed, JWKSet([]), asking.answer(to: .keys)?.json).add(error, to: &list)
        }
    }
}

extension ProviderMetadata {
    /// Of each origin that the server calls besides the issuer's own, one.
    fileprivate func endpointsElsewhere(for broker: Configuration.Broker) -> [EndpointURL] {
        var endpoints = [self.tokenEndpoint, self.jwksURI]
        if broker.requestStyle.isPushed, let endpoint = self.pushedAuthorizationRequestEndpoint {
            endpoints.append(endpoint)
        }
        if let endpoint = self.userinfoEndpoint { endpoints.append(endpoint) }
        if broker.authentication.needsCertificate, case .success(let aliases) = self.mtlsEndpointAliases {
            endpoints += [aliases.token, aliases.pushedAuthorizationRequest, aliases.userinfo].compactMap { $0 }
        }
        let own = EndpointURL(self.issuer)?.origin
        return endpoints.reduce(into: []) { found, endpoint in
            guard endpoint.origin != own, !found.contains(where: { $0.origin == endpoint.origin }) else { return }
            found.append(endpoint)
        }
    }
}
