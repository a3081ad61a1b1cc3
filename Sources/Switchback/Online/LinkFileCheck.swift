/// Fetches our link files from `link_url` as Apple's and Google's fetchers do: by https from port 443, following nothing,
/// without a cookie, and no more than 128 KB.
import Base
import EventLoop
import HTTPWire
import OpenIDConnect
import Outbound
import StrictJSON

struct LinkFileCheck {
    private static let timeout = Duration.seconds(10)

    private let links: AppLinks
    private let origin: EndpointURL

    /// Nil when there is nothing to fetch.
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
            list.fail("connection", "\(self.origin.text) is not https: neither Apple nor Google fetch from it")
            return list.all
        }
        if self.origin.port != 443 {
            list.warn("connection", "Apple and Google fetch from port 443, not from \(self.origin.port)")
        }
        var settings = OutboundSettings(allowedHosts: [self.origin.host])
        settings.userAgent = "Switchback/\(ServerVersion.text)"
        settings.caFile = authority
        settings.allowPrivateAddresses = authority != nil
        do throws(OutboundError) {
            let asking = try OnlineAsking(settings, timeout: Self.timeout, loop: loop, now: now)
            if AppleAppSiteAssociation(self.links) != nil,
                let read = await self.read(AppleAppSiteAssociation.name, asking, &list)
            {
                AppleLinkFindings(self.links).add(read, to: &list)
            }
            if AssetLinks(self.links) != nil, let read = await self.read(AssetLinks.name, asking, &list) {
                AndroidLinkFindings(self.links).add(read, to: &list)
            }
            await asking.close()
        } catch {
            list.fail("connection", FetchError(error).detail)
        }
        return list.all
    }

    /// What the file holds; nil when no phone would learn it.
    private func read(_ name: String, _ asking: OnlineAsking, _ list: inout FindingList) async -> JSON? {
        let url = "\(self.origin.text)/.well-known/\(name)"
        do throws(OutboundError) {
            let answer = try await asking.get(url, limit: AppleAppSiteAssociation.limit)
            // Only the first answer of a connection tells.
            if let expiry = answer.response.certificateExpiry {
                list.note(expiry: expiry, of: "\(self.origin.text), its certificate", as: "connection", now: answer.at)
            }
            guard answer.response.status == 200 else {
                list.fail(name, "the answer is \(answer.response.status): \(Self.advice(answer.response.status))")
                return nil
            }
            let type = answer.response["content-type"] ?? "nothing"
            guard MediaType(type)?.isJSON == true else {
                list.fail(name, "is sent as \(type), and must be application/json: let the proxy leave it alone")
                return nil
            }
            guard let json = answer.json else {
                list.fail(name, "is no JSON: is it the file of this server?")
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
        case 300..<400: "nobody follows it; let the proxy hand on this address before it redirects"
        case 401, 403: "everybody must be let in, without a login and from every country"
        case 404: "let the proxy hand on this address to this server, or start it with this configuration"
        default: "is that this server?"
        }
    }

    private static func advice(_ error: OutboundError) -> String {
        switch error {
        case .unreachable, .timedOut: "look at link_url's host, DNS and the firewall"
        case .noDescriptors: "raise the limit of open files here (ulimit -n)"
        case .tooLarge: "Apple reads 128 KB"
        case .certificate: "phones believe public authorities only, and the whole chain must be sent"
        case .refused: "Apple and Google come from the internet, where it must have a public address"
        case .broken, .busy, .cancelled: "is that this server?"
        }
    }
}
