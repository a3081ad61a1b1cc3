import Base
import BrokerTransport
import EventLoop
import HTTPWire
import Links
import OpenIDConnect
import Outbound
import StrictJSON

/// Fetches our link files from `link_url` as Apple and Google do: by https from port 443, without redirects and
/// cookies, and at most 128 KB.
struct LinkFileCheck {
    private static let timeout = Duration.seconds(10)

    private let links: AppLinks
    private let origin: EndpointURL

    /// Returns nil when there is nothing to fetch.
    init?(_ links: AppLinks) {
        let isNamed = links.apps.contains { !$0.appleIDs.isEmpty || !$0.androidApps.isEmpty }
        guard let origin = links.origin, isNamed else { return nil }
        self.links = links
        self.origin = origin
    }

    func findings(
        _ loop: EventLoop, authority: String?, now: @escaping @Sendable () -> Timestamp
    ) async -> [Finding] {
        var list = FindingList("link_url")
        guard self.origin.scheme == .https else {
            list.fail("connection", "\(self.origin.text) is not https: neither Apple nor Google fetches from it")
            return list.all
        }
        if self.origin.port != 443 {
            list.warn("connection", "Apple and Google fetch from port 443, not from \(self.origin.port)")
        }
        var settings = OutboundSettings(allowedHosts: [self.origin.host])
        settings.userAgent = "Switchback/\(ServerVersion.text)"
        settings.caFile = authority
        settings.allowPrivateAddresses = authority != nil
        do throws(OperatorError) {
            let fetcher = try OnlineFetcher(settings, timeout: Self.timeout, loop: loop, now: now)
            if AppleAppSiteAssociation(self.links) != nil,
                let file = await self.read(AppleAppSiteAssociation.name, fetcher, &list)
            {
                AppleLinkFindings(self.links).add(file, to: &list)
            }
            if AssetLinks(self.links) != nil, let file = await self.read(AssetLinks.name, fetcher, &list) {
                AndroidLinkFindings(self.links).add(file, to: &list)
            }
            await fetcher.close()
        } catch {
            list.fail("connection", "\(error)")
        }
        return list.all
    }

    /// Returns the content of the file; nil when no phone could use it.
    private func read(_ name: String, _ fetcher: OnlineFetcher, _ list: inout FindingList) async -> JSON? {
        let url = "\(self.origin.text)/.well-known/\(name)"
        do throws(OutboundError) {
            let answer = try await fetcher.get(url, limit: AppleAppSiteAssociation.limit)
            // Only the first response of a connection has the certificate.
            if let expiry = answer.response.certificateExpiry {
                list.note(
                    expiry: expiry, of: "the certificate of \(self.origin.text)", as: "connection", now: answer.at)
            }
            guard answer.response.status == 200 else {
                list.fail(name, "the response is \(answer.response.status): \(Self.advice(answer.response.status))")
                return nil
            }
            let type = answer.response["content-type"] ?? "nothing"
            guard MediaType(type)?.isJSON == true else {
                list.fail(name, "is sent as \(type), but must be application/json: the proxy must not change it")
                return nil
            }
            guard let json = answer.json else {
                list.fail(name, "is not JSON: is it the file of this server?")
                return nil
            }
            return json
        } catch {
            list.fail(error == .tooLarge ? name : "connection", "\(FetchError(error).detail): \(Self.advice(error))")
            return nil
        }
    }

    private static func advice(_ status: Int) -> String {
        switch status {
        case 300..<400: "Apple and Google do not follow it; let the proxy pass this path on before it redirects"
        case 401, 403: "this path must be open to everyone, without a login and from every country"
        case 404: "let the proxy pass this path on to this server, or start the server with this configuration"
        default: "is that this server?"
        }
    }

    private static func advice(_ error: OutboundError) -> String {
        switch error {
        case .unreachable, .timedOut: "check link_url's host, DNS and the firewall"
        case .noDescriptors: "raise the limit of open files here (ulimit -n)"
        case .tooLarge: "Apple reads 128 KB"
        case .certificate: "phones trust only public authorities, and the server must send the whole chain"
        case .refused: "Apple and Google come from the internet, so it needs a public address"
        case .encoding: "we ask for none, so let the server send no Content-Encoding"
        case .closed, .broken, .busy, .cancelled: "is that this server?"
        }
    }
}

/// Checks whether Apple's link file, as fetched, opens our apps for our links.
struct AppleLinkFindings {
    private static let name = AppleAppSiteAssociation.name

    private let links: AppLinks

    init(_ links: AppLinks) { self.links = links }

    func add(_ json: JSON, to list: inout FindingList) {
        guard let file = AppleAppSiteAssociation(reading: json) else {
            return list.fail(Self.name, "has no list applinks.details: is it the file of this server?")
        }
        for app in self.links.apps {
            for id in app.appleIDs { self.add(id, app, file, &list) }
        }
    }

    private func add(_ id: String, _ app: AppLinks.App, _ file: AppleAppSiteAssociation, _ list: inout FindingList) {
        guard file.details.contains(where: { $0.appIDs.contains(id) }) else {
            return list.fail(Self.name, "does not name \(id): is it the file of this server, with this configuration?")
        }
        // A link is the prefix itself, or continues after it.
        let paths = app.prefixes.flatMap { [$0, "\($0)a"] } + self.links.callbacks
        if let closedPath = paths.first(where: { !file.opens($0, in: id) }) {
            return list.fail(Self.name, "does not open \(id) for \(closedPath): is it the file of this server?")
        }
        if file.webCredentials.contains(id) {
            list.pass(Self.name, "opens \(id), for \((app.prefixes + self.links.callbacks).joined(separator: ", "))")
        } else {
            list.warn(
                Self.name, "webcredentials does not name \(id): no https callback ends its ASWebAuthenticationSession")
        }
    }
}

/// Checks whether Google's link file, as fetched, names our apps with all their certificates.
struct AndroidLinkFindings {
    private static let name = AssetLinks.name

    private let links: AppLinks

    init(_ links: AppLinks) { self.links = links }

    func add(_ json: JSON, to list: inout FindingList) {
        guard let file = AssetLinks(reading: json) else {
            return list.fail(Self.name, "is not a list at the top level: is it the file of this server?")
        }
        for app in self.links.apps.flatMap(\.androidApps) { Self.add(app, file, &list) }
    }

    private static func add(_ app: AndroidApp, _ file: AssetLinks, _ list: inout FindingList) {
        guard file.statements.contains(where: { $0.package == app.package }) else {
            return list.fail(
                Self.name, "does not name \(app.package): is it the file of this server, with this configuration?")
        }
        if let unknown = file.missing(app, for: AssetLinks.opensLinks).first {
            list.fail(
                Self.name,
                "does not open \(app.package) signed by \(unknown.prefix(11))...: compare sha256_cert_fingerprints")
        } else if let unknown = file.missing(app, for: AssetLinks.actsAsOrigin).first {
            list.warn(
                Self.name, "has no use_as_origin for \(app.package) signed by \(unknown.prefix(11))...: no postMessage")
        } else {
            let count = app.fingerprints.count
            list.pass(Self.name, "opens \(app.package), \(count) certificate\(count == 1 ? "" : "s")")
        }
    }
}
