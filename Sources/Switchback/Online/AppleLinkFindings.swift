/// Whether Apple's link file, as it was fetched, opens our apps for our links.
import StrictJSON

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
        // A link is its prefix, or goes on behind it.
        let paths = app.prefixes.flatMap { [$0, "\($0)a"] } + self.links.callbacks
        if let closed = paths.first(where: { !file.opens($0, in: id) }) {
            return list.fail(Self.name, "does not open \(id) for \(closed): is it the file of this server?")
        }
        if file.webCredentials.contains(id) {
            list.ok(Self.name, "opens \(id), for \((app.prefixes + self.links.callbacks).joined(separator: ", "))")
        } else {
            list.warn(
                Self.name, "webcredentials does not name \(id): no https callback ends its ASWebAuthenticationSession")
        }
    }
}
