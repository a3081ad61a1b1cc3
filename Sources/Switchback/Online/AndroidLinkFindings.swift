/// Whether Google's link file, as it was fetched, names our apps with all their certificates.
import StrictJSON

struct AndroidLinkFindings {
    private static let name = AssetLinks.name

    private let links: AppLinks

    init(_ links: AppLinks) { self.links = links }

    func add(_ json: JSON, to list: inout FindingList) {
        guard let file = AssetLinks(reading: json) else {
            return list.fail(Self.name, "is no list at its top: is it the file of this server?")
        }
        for app in self.links.apps.flatMap(\.androidApps) { Self.add(app, file, &list) }
    }

    private static func add(_ app: Configuration.App.AndroidApp, _ file: AssetLinks, _ list: inout FindingList) {
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
            list.ok(Self.name, "opens \(app.package), \(count) certificate\(count == 1 ? "" : "s")")
        }
    }
}
