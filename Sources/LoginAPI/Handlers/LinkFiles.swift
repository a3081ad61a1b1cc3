import HTTPServer
import Links
import StrictJSON

/// The two files that tell phones which links open which app. Made once, and the same on every host of this server.
struct LinkFiles: Sendable {
    /// Nil if no app is on iOS.
    let appSiteAssociation: StaticFile?
    /// Nil if no app is on Android.
    let assetLinks: StaticFile?

    init(_ links: AppLinks) {
        self.appSiteAssociation = AppleAppSiteAssociation(links).map { StaticFile(json: $0.json) }
        self.assetLinks = AssetLinks(links).map { StaticFile(json: $0.json) }
    }

    /// Returns the name of the file that is too large for phones.
    static func tooLarge(_ links: AppLinks) -> String? {
        let files = [
            (AppleAppSiteAssociation.name, AppleAppSiteAssociation(links)?.json),
            (AssetLinks.name, AssetLinks(links)?.json),
        ]
        return files.first { ($0.1?.encoded().count ?? 0) > AppleAppSiteAssociation.limit }?.0
    }
}
