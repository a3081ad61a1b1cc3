import Base
import Brokers
import ServerConfiguration

/// The URIs that a broker or an e-ID's app gets from us, byte for byte, and where they are entered.
struct BrokerURI: Sendable {
    /// What the broker calls it.
    let name: String
    /// The app that it opens; nil for a redirect URI, which all apps share.
    let app: String?
    let url: String
    /// Whether the broker refuses one that it does not know.
    var needsEntry = true
    /// A provider whose logins send it from a browser; nil if there is none.
    var provider: Provider?
    /// The parameters of the broker's kind in such a login, on an iPhone if it is the link of an app.
    var parameters: [Parameter] = []

    /// As `check` prints it.
    var line: String {
        let owner = self.app.map { " of \($0)" } ?? ""
        let note = self.needsEntry ? "" : " (no entry at the broker: it must open the app)"
        return "\(self.name)\(owner): \(self.url)\(note)"
    }
}

extension Configuration {
    /// The URIs of a broker: its redirect URI, and the links by which an e-ID's app returns to each app.
    func uris(of broker: Broker) -> [BrokerURI] {
        let providers = self.providers.filter { $0.brokerID == broker.id }
        var redirect = BrokerURI(
            name: broker.digid == nil ? "redirect URI" : "ReturnUrl", app: nil, url: self.redirectURI(of: broker))
        redirect.provider = providers.first { $0.flow == .browser }
        if let provider = redirect.provider {
            redirect.parameters = broker.openID?.parameters(for: provider, AuthorizationContext()) ?? []
        }
        return [redirect]
            + self.apps.compactMap { app in
                let own = self.releases(of: app)
                guard let link = app.webLink else { return nil }
                return broker.returnURI(of: app, link, providers.filter { own[$0.id] != nil })
            }
    }
}

extension Configuration.App {
    /// The link by which an e-ID's app returns, which must be https.
    var webLink: String? { self.returnPrefixes.first(where: ReturnPrefix.isWebLink) }
}

extension Configuration.Broker {
    /// Where the operator enters the URIs; nil if only the operator knows.
    package var portal: String? { self.kind.portal }

    /// The link by which the e-ID's app returns to an app, as the broker knows it; nil if it takes none.
    var returnLink: ReturnLink? { self.openID?.returnLink(redirectsToApp: self.callback != .backend) }

    fileprivate func returnURI(of app: Configuration.App, _ link: String, _ providers: [Provider]) -> BrokerURI? {
        guard let returnLink = self.returnLink, !providers.isEmpty else { return nil }
        var uri = BrokerURI(name: returnLink.name, app: app.id, url: link, needsEntry: returnLink.needsEntry)
        var context = AuthorizationContext()
        context.platform = .ios
        context.returnURL = link
        uri.provider = providers.first { $0.flow == .browser }
        if let provider = uri.provider {
            uri.parameters = self.openID?.parameters(for: provider, context) ?? []
        }
        return uri
    }
}
